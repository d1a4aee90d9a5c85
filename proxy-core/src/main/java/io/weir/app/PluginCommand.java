package io.weir.app;

import io.weir.plugin.PluginHost;
import io.weir.plugin.PluginOffers;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plugin <id> …}: a plugin's own commands. */
@Command(name = "plugin", description = "Runs a command of a plugin.")
final class PluginCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOption config;

    @Parameters(index = "0", paramLabel = "ID", description = "The plugin's id.")
    private String id;

    @Parameters(index = "1..*", paramLabel = "COMMAND", description = "The plugin's command and its arguments.")
    private List<String> words = List.of();

    @Override
    public Integer call() throws Exception {
        PrintWriter err = spec.commandLine().getErr();
        try (PluginHost host = new Startup(config.file()).plugin(id)) {
            List<PluginOffers.Command> commands = host.catalogue().commands(id);
            for (PluginOffers.Command offer : commands) {
                if (!words.isEmpty() && offer.name().equals(words.get(0))) {
                    return offer.command().run(words.subList(1, words.size()), System.out, System.err);
                }
            }
            err.println(
                    "plugin " + id + ": " + (words.isEmpty() ? "no command" : words.get(0)) + " (expected: one of)");
            commands.forEach(offer -> err.println("  " + offer.name() + "  " + offer.description()));
            return ExitCode.USAGE;
        }
    }
}
