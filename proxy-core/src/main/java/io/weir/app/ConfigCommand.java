package io.weir.app;

import io.weir.api.setting.Folders;
import io.weir.config.load.ConfigLoader;
import io.weir.hocon.InvalidConfigException;
import java.io.PrintWriter;
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
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try {
            ConfigLoader.Draft draft = ConfigLoader.draft(config.file(), System.getenv(), Folders.ofProcess());
            if (draft.problems().isEmpty()) {
                draft.lines(changed).forEach(out::println);
                return ExitCodes.OK;
            }
            throw new InvalidConfigException(draft.problems());
        } catch (InvalidConfigException e) {
            e.lines().forEach(out::println);
            return ExitCodes.PROBLEM;
        }
    }
}
