package io.weir.app;

import io.weir.app.start.Proxy;
import io.weir.app.start.Startup;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code run}: serves until the process gets a signal to end. */
@Command(name = "run", description = "Runs the proxy until the process gets SIGTERM.")
final class RunCommand implements Callable<Integer> {

    @Mixin
    private ConfigOptions config;

    @Override
    public Integer call() throws Exception {
        return run(config::startup, config.hasNodes() ? config : null, config.out());
    }

    /**
     * Serves until the process gets a signal to end. Prints the ready line to {@code out}.
     *
     * @param nodes the options that name nodes in place of a file; null if there is a file
     */
    static int run(Callable<Startup> source, @Nullable ConfigOptions nodes, PrintWriter out) throws Exception {
        Hangup hangup = Hangup.watch();
        Startup startup = source.call();
        DirectMemory.limit();
        MemoryEnd.watch();
        Proxy proxy = startup.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(proxy), "weir-shutdown"));
        out.println("weir: JSON-RPC at " + proxy.url() + ", admin at " + proxy.adminUrl());
        if (nodes != null) {
            startup.check().warnings().forEach(warning -> out.println("warning: " + warning));
            printNextSteps(proxy, nodes.configWords(), out);
        }
        out.flush();
        hangup.reactBy(proxy::reload);
        proxy.awaitClose();
        return ExitCodes.OK;
    }

    private static void printNextSteps(Proxy proxy, @Nullable String configWords, PrintWriter out) {
        String jar = System.getProperty("sun.java.command", "weir.jar").split(" ", 2)[0];
        String program = System.getProperty("weir.home") == null ? "java -jar " + jar : "bin/weir";
        String keep = configWords == null ? "this command with config in place of run," : program + " " + configWords;
        out.println("  try it:   curl -s -H 'content-type: application/json' "
                + "-d '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_blockNumber\",\"params\":[]}' " + proxy.url()
                + "/");
        out.println("  see it:   " + proxy.adminUrl() + "/");
        out.println("  keep it:  " + keep + " > my.conf, then " + program + " run --config my.conf");
    }

    /** Ends a successful drain with 0. The exit code of a plain shutdown hook would be that of the signal. */
    private static void end(Proxy proxy) {
        proxy.close();
        Runtime.getRuntime().halt(ExitCodes.OK);
    }
}
