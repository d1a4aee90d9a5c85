package io.weir.network;

import io.weir.access.KeyRing;
import io.weir.config.WeirConfig;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything that one configuration made. Immutable and thread-safe. */
public final class Generation {

    private final WeirConfig config;
    private final KeyRing keys;
    private final Map<String, Network> networks;
    private final Map<String, Network> byHost;
    private final Network defaultNetwork;

    /**
     * Puts a generation together.
     *
     * @param networks by name; holds the configuration's default network
     */
    public Generation(WeirConfig config, KeyRing keys, Map<String, Network> networks) {
        this.config = config;
        this.keys = keys;
        this.networks = Map.copyOf(networks);
        Network preset = this.networks.get(config.defaultNetwork());
        if (preset == null) {
            throw new IllegalArgumentException(
                    "default-network: " + config.defaultNetwork() + " (expected: one of " + networks.keySet() + ")");
        }
        this.defaultNetwork = preset;
        Map<String, Network> hosts = new HashMap<>();
        networks.values().forEach(network -> network.config().hosts().forEach(host -> hosts.put(host, network)));
        this.byHost = Map.copyOf(hosts);
    }

    /** The configuration that made it. */
    public WeirConfig config() {
        return config;
    }

    /** The API keys. */
    public KeyRing keys() {
        return keys;
    }

    /** The networks by name. */
    public Map<String, Network> networks() {
        return networks;
    }

    /** The network of this name, or null. */
    public @Nullable Network network(String name) {
        return networks.get(name);
    }

    /**
     * The network of a request that names none in its path: the one that has the Host header's name among its hosts, else
     * the default one.
     *
     * @param host the Host header's value with or without port, or null
     */
    public Network networkForHost(@Nullable String host) {
        if (host == null || byHost.isEmpty()) {
            return defaultNetwork;
        }
        int colon = host.lastIndexOf(':');
        String name = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
        return byHost.getOrDefault(name.toLowerCase(Locale.ROOT), defaultNetwork);
    }
}
