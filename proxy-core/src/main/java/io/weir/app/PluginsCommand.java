package io.weir.app;

import io.weir.plugin.PluginHost;
import io.weir.plugin.PluginSummary;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code plugins}: commands about plugins. */
@Command(name = "plugins", description = "Shows plugins.", subcommands = PluginsCommand.ListPlugins.class)
final class PluginsCommand {

    /** {@code plugins list}: lists the plugins and their offers. */
    @Command(name = "list", description = "Lists the plugins that the configuration finds, and what they offer.")
    static final class ListPlugins implements Callable<Integer> {

        @Mixin
        private ConfigOptions config;

        @Override
        public Integer call() throws Exception {
            PrintWriter out = config.out();
            try (PluginHost plugins = config.startup().plugins()) {
                plugins.summaries().forEach(plugin -> print(plugin, out));
            }
            out.flush();
            return ExitCodes.OK;
        }

        private static void print(PluginSummary plugin, PrintWriter out) {
            out.println(plugin.id() + " " + plugin.version() + "  " + plugin.source());
            print("methods", plugin.methods(), out);
            print("upstream schemes", plugin.schemes(), out);
            print("network kinds", plugin.kinds(), out);
            print(
                    "admin pages",
                    plugin.pages().stream()
                            .map(page -> "/plugins/" + plugin.id() + "/" + page)
                            .toList(),
                    out);
            print("commands", plugin.commands(), out);
        }

        private static void print(String what, List<String> names, PrintWriter out) {
            if (!names.isEmpty()) {
                out.println("  " + what + ": " + String.join(", ", names));
            }
        }
    }
}
