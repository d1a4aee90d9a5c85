package io.weir.app;

import io.weir.testing.PluginBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Plugins that people outside the project could write: one that behaves, one that does not. */
final class OutsidePlugins {

    private OutsidePlugins() {}

    /** Serves {@code outside_*} and {@code net_version}; has settings, pages, a meter and a command. */
    static PluginBuilder wellBehaved() throws IOException {
        return PluginBuilder.plugin("outside")
                .version("2.3.4")
                .source("org.example.outside.Pages", text("Pages.java"))
                .source("org.example.outside.Outside", text("Outside.java"));
    }

    /** Serves {@code unruly_*}, each in its own wrong way. */
    static PluginBuilder unruly() throws IOException {
        return PluginBuilder.plugin("unruly").source("org.example.unruly.Unruly", text("Unruly.java"));
    }

    private static String text(String name) throws IOException {
        try (InputStream in = OutsidePlugins.class.getResourceAsStream("plugins/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
