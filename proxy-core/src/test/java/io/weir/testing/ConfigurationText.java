package io.weir.testing;

import java.util.ArrayList;
import java.util.List;

/** Puts together the configuration of a proxy with one network, free ports and the key {@code demo}. Confined to a thread. */
public final class ConfigurationText {

    private final String network;
    private final List<String> lines = new ArrayList<>();

    private ConfigurationText(String network, String chainId) {
        this.network = network;
        lines.add("server { host = \"127.0.0.1\", port = 0 }");
        lines.add("admin { host = \"127.0.0.1\", port = 0 }");
        lines.add("plugins { path = [] }");
        lines.add("default-network = " + network);
        lines.add("networks." + network + " { kind = ethereum, chain-id = " + chainId + " }");
        lines.add("access.keys.demo {");
        lines.add("  sha256 = \"2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea\"");
        lines.add("  networks = [\"*\"], methods = [\"*\"]");
        lines.add("}");
    }

    /** One network of Ethereum's kind. */
    public static ConfigurationText of(String network, String chainId) {
        return new ConfigurationText(network, chainId);
    }

    /** Adds a node. */
    public ConfigurationText upstream(String id, String url) {
        lines.add("networks." + network + ".upstreams." + id + " { url = \"" + url + "\" }");
        return this;
    }

    /** Adds a setting of the network, such as {@code health.interval = 1 s}. */
    public ConfigurationText networkSetting(String line) {
        return setting("networks." + network + "." + line);
    }

    /** Adds a setting, which wins over an earlier one. */
    public ConfigurationText setting(String line) {
        lines.add(line);
        return this;
    }

    /** The whole file. */
    public String text() {
        return String.join("\n", lines) + "\n";
    }
}
