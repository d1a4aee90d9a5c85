package io.weir.app;

import io.weir.app.start.Failures;
import io.weir.app.start.StartupException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine;

/** The program's entrance. */
public final class Main {

    private Main() {}

    /** Runs the command that the arguments name, and exits with its code. */
    public static void main(String[] arguments) {
        prepareNetty();
        System.exit(arguments.length == 0 ? runAsUsual() : commandLine().execute(arguments));
    }

    /** Runs the proxy with the usual configuration, without picocli: nothing is to be read, and to load it takes a while. */
    private static int runAsUsual() {
        try {
            return RunCommand.run(
                    Path.of(ConfigOption.DEFAULT), new PrintWriter(System.out, false, Charset.defaultCharset()));
        } catch (Exception e) {
            lines(e).forEach(System.err::println);
            return ExitCodes.PROBLEM;
        }
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new WeirCommand());
        // What stands behind a plugin's id is for the plugin to read, options too.
        Objects.requireNonNull(line.getSubcommands().get("plugin")).setStopAtPositional(true);
        line.setExecutionExceptionHandler((failure, command, result) -> {
            lines(failure).forEach(command.getErr()::println);
            return ExitCodes.PROBLEM;
        });
        return line;
    }

    private static List<String> lines(Exception failure) {
        return failure instanceof StartupException many ? many.problems() : List.of(Failures.oneLine(failure));
    }

    /** What Netty reads once, when its first class loads; an operator's -D wins. */
    private static void prepareNetty() {
        preset("io.netty.tryReflectionSetAccessible", "true");
        preset("io.netty.allocator.type", "pooled");
        preset("io.netty.leakDetection.level", "disabled");
    }

    private static void preset(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
