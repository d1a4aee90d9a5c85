package io.weir.app;

import io.weir.app.start.Version;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The root command. Without a subcommand it runs the proxy with the default configuration. */
@Command(
        name = "weir",
        description = "A JSON-RPC proxy between applications and blockchain nodes.",
        subcommands = {
            RunCommand.class,
            CheckCommand.class,
            ConfigCommand.class,
            KeyCommand.class,
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
}
