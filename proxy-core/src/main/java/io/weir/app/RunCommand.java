package io.weir.app;

import io.weir.app.start.Proxy;
import io.weir.app.start.Startup;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
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
    private ConfigOption config;

    @Override
    public Integer call() throws Exception {
        return run(config.file(), spec.commandLine().getOut());
    }

    /** Serves with a configuration until the process gets a signal to end. Prints the ready line to {@code out}. */
    static int run(Path file, PrintWriter out) throws Exception {
        DirectMemory.limit();
        MemoryEnd.watch();
        Hangup hangup = Hangup.watch();
        Proxy proxy = new Startup(file).start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(proxy), "weir-shutdown"));
        out.println("weir: JSON-RPC at " + proxy.url() + ", admin at " + proxy.adminUrl());
        out.flush();
        hangup.reactBy(proxy::reload);
        proxy.awaitClose();
        return ExitCodes.OK;
    }

    /** Ends a successful drain with 0. The exit code of a plain shutdown hook would be that of the signal. */
    private static void end(Proxy proxy) {
        proxy.close();
        Runtime.getRuntime().halt(ExitCodes.OK);
    }
}
