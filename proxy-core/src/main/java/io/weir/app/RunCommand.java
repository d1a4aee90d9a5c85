package io.weir.app;

import io.weir.app.start.NodesConfig;
import io.weir.app.start.Proxy;
import io.weir.app.start.Startup;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code run}: serves until the process gets a signal to end. */
@Command(name = "run", description = "Runs the proxy until the process gets SIGTERM.")
final class RunCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions config;

    @Override
    public Integer call() throws Exception {
        return run(config.startup(), config.nodes(), spec.commandLine().getOut());
    }

    /**
     * Serves until the process gets a signal to end. Prints the ready line to {@code out}.
     *
     * @param nodes the URLs of nodes that the command line names in place of a file
     */
    static int run(Startup startup, List<String> nodes, PrintWriter out) throws Exception {
        DirectMemory.limit();
        MemoryEnd.watch();
        Hangup hangup = Hangup.watch();
        Proxy proxy = startup.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(proxy), "weir-shutdown"));
        out.println("weir: JSON-RPC at " + proxy.url() + ", admin at " + proxy.adminUrl());
        if (!nodes.isEmpty()) {
            printNextSteps(proxy, nodes, out);
        }
        out.flush();
        hangup.reactBy(proxy::reload);
        proxy.awaitClose();
        return ExitCodes.OK;
    }

    private static void printNextSteps(Proxy proxy, List<String> nodes, PrintWriter out) {
        String jar = System.getProperty("sun.java.command", "weir.jar").split(" ", 2)[0];
        String program = System.getProperty("weir.home") == null ? "java -jar " + jar : "bin/weir";
        String options =
                nodes.stream().map(NodesConfig::shown).map(" --node "::concat).collect(Collectors.joining());
        out.println("  try it:   curl -s -H 'content-type: application/json' "
                + "-d '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_blockNumber\",\"params\":[]}' " + proxy.url()
                + "/");
        out.println("  see it:   " + proxy.adminUrl() + "/");
        out.println("  keep it:  " + program + " config" + options + " > my.conf, then " + program
                + " run --config my.conf");
    }

    /** Ends a successful drain with 0. The exit code of a plain shutdown hook would be that of the signal. */
    private static void end(Proxy proxy) {
        proxy.close();
        Runtime.getRuntime().halt(ExitCodes.OK);
    }
}
