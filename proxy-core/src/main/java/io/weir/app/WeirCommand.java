package io.weir.app;

import io.weir.app.start.Startup;
import io.weir.app.start.StartupException;
import io.weir.app.start.Version;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The root command. Without a subcommand it runs the proxy with the default configuration. */
@Command(
        name = "weir",
        description = "A JSON-RPC proxy between applications and blockchain nodes.",
        subcommands = {
            RunCommand.class,
            WeirCommand.Check.class,
            WeirCommand.Config.class,
            KeyCommand.class,
            LogsCommand.class,
            ProbeCommand.class,
            PluginsCommand.class,
            PluginCommand.class
        },
        mixinStandardHelpOptions = true,
        scope = CommandLine.ScopeType.INHERIT,
        versionProvider = Version.class)
final class WeirCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        return Objects.requireNonNull(spec.commandLine().getSubcommands().get("run"))
                .execute();
    }

    /** {@code check}: prints every problem of the configuration and the plugins' settings, or what stays unproven. Starts nothing. */
    @Command(name = "check", description = "Checks the configuration and the plugins' settings, and starts nothing.")
    static final class Check implements Callable<Integer> {

        @Mixin
        private ConfigOptions config;

        @Override
        public Integer call() throws Exception {
            Startup.Checked checked = config.startup().check();
            if (checked.problems().isEmpty()) {
                PrintWriter out = config.out();
                checked.summary().forEach(out::println);
                checked.warnings().forEach(warning -> out.println("warning: " + warning));
                int count = checked.warnings().size();
                out.println(config.name() + ": no problem found" + (count == 0 ? "" : ", warnings: " + count));
                return ExitCodes.OK;
            }
            checked.problems().forEach(config.out()::println);
            return ExitCodes.PROBLEM;
        }
    }

    /** {@code config}: prints the configuration in force, each setting with its origin; for nodes in place of a file, that file. */
    @Command(
            name = "config",
            description = "Prints the settings in force, each with the file and line it comes from."
                    + " With --node, prints a file that does the same.")
    static final class Config implements Callable<Integer> {

        @Mixin
        private ConfigOptions config;

        @Option(names = "--changed", description = "Only settings that differ from the defaults.")
        private boolean changed;

        @Override
        public Integer call() throws StartupException {
            Startup startup = config.startup();
            List<String> inForce = startup.settings(changed);
            String text = startup.text();
            List<String> lines =
                    text == null || !config.hasNodes() ? inForce : text.lines().toList();
            lines.forEach(config.out()::println);
            return ExitCodes.OK;
        }
    }
}
