package io.weir.app;

import io.weir.app.start.Failures;
import io.weir.app.start.Startup;
import io.weir.app.start.StartupException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine;

/** The entry point of the program. */
public final class Main {

    private static final String[] OF_LAUNCHER = {
        "bin/weir itself takes:",
        "  classes     Stores the loaded classes beside weir.jar, for faster starts.",
        "  --data=DIR  The folder that the proxy writes to; default: WEIR_DATA, or data",
        "              beside bin.",
    };

    private Main() {}

    /** Runs the command in the arguments, and exits with its code. */
    public static void main(String[] arguments) {
        prepareNetty();
        Path plainRun = ConfigOptions.ofPlainRun(arguments);
        System.exit(plainRun == null ? commandLine().execute(arguments) : run(plainRun));
    }

    /** Runs the proxy without picocli, which takes as long to load as all that a start reads of a configuration. */
    private static int run(Path config) {
        try {
            return RunCommand.run(
                    () -> new Startup(config, null),
                    null,
                    new PrintWriter(System.out, false, Charset.defaultCharset()));
        } catch (Exception e) {
            lines(e).forEach(System.err::println);
            return ExitCodes.PROBLEM;
        }
    }

    static CommandLine commandLine() {
        return commandLine(System.getProperty("weir.home") != null);
    }

    /** @param launched whether {@code bin/weir} started the program, which has a command and an option of its own */
    static CommandLine commandLine(boolean launched) {
        CommandLine line = new CommandLine(new WeirCommand());
        if (launched) {
            line.getCommandSpec().usageMessage().footer(OF_LAUNCHER);
        }
        // Without a subcommand the option is that of the default one; before a subcommand it is as good as behind it.
        line.addMixin(ConfigOptions.MIXIN, new ConfigOptions());
        // The arguments after a plugin's id belong to the plugin, options too.
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

    /**
     * Sets properties that Netty reads once, when its first class loads. A -D option of the operator takes precedence.
     */
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
