package io.weir.app;

import io.weir.app.start.Startup;
import io.weir.app.start.StartupException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code config}: prints the configuration in force, each setting with its origin; for nodes in place of a file, that file. */
@Command(
        name = "config",
        description = "Prints the settings in force, each with the file and line it comes from."
                + " With --node, prints a file that does the same.")
final class ConfigCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

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
        lines.forEach(spec.commandLine().getOut()::println);
        return ExitCodes.OK;
    }
}
