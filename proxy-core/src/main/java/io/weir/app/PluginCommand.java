package io.weir.app;

import io.weir.plugin.PluginHost;
import io.weir.plugin.PluginOffers;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plugin <id> …}: runs a plugin's own commands. */
@Command(name = "plugin", description = "Runs a command of a plugin.")
final class PluginCommand implements Callable<Integer> {

    private static final Set<String> HELP = Set.of("-h", "--help");

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions config;

    @Parameters(index = "0", paramLabel = "ID", description = "The plugin's id.")
    private String id;

    @Parameters(index = "1..*", paramLabel = "COMMAND", description = "The plugin's command and its arguments.")
    private List<String> words = List.of();

    @Override
    public Integer call() throws Exception {
        List<String> own = config.takenFrom(words);
        String word = own.isEmpty() ? "no command" : own.get(0);
        try (PluginHost host = config.startup().plugin(id)) {
            List<PluginOffers.Command> commands = host.catalogue().commands(id);
            for (PluginOffers.Command offer : commands) {
                if (offer.name().equals(word)) {
                    return offer.command().run(own.subList(1, own.size()), System.out, System.err);
                }
            }
            if (HELP.contains(word)) {
                list(commands, spec.commandLine().getOut());
                return ExitCode.OK;
            }
            PrintWriter err = spec.commandLine().getErr();
            err.println("plugin " + id + ": " + word + " (expected: one of)");
            list(commands, err);
            return ExitCode.USAGE;
        }
    }

    private static void list(List<PluginOffers.Command> commands, PrintWriter out) {
        commands.forEach(offer -> out.println("  " + offer.name() + "  " + offer.description()));
    }
}
