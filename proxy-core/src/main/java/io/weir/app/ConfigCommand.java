package io.weir.app;

import io.weir.app.start.Startup;
import io.weir.app.start.StartupException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code config}: prints the configuration in force, each setting with its origin. */
@Command(name = "config", description = "Prints the settings in force, each with the file and line it comes from.")
final class ConfigCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOption config;

    @Option(names = "--changed", description = "Only settings that differ from the defaults.")
    private boolean changed;

    @Override
    public Integer call() throws StartupException {
        new Startup(config.file()).settings(changed).forEach(spec.commandLine().getOut()::println);
        return ExitCodes.OK;
    }
}
