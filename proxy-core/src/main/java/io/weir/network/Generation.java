package io.weir.network;

import io.weir.access.AllowedHosts;
import io.weir.access.AllowedOrigins;
import io.weir.access.KeyRing;
import io.weir.config.Authority;
import io.weir.config.ServerConfig;
import io.weir.config.WeirConfig;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Everything that one configuration made. Immutable and thread-safe. */
public final class Generation {

    private final WeirConfig config;
    private final KeyRing keys;
    private final Map<String, Network> networks;
    private final Map<String, Network> byHost;
    private final Network defaultNetwork;
    private final AllowedHosts hosts;
    private final AllowedOrigins origins;

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
        Map<String, Network> found = new HashMap<>();
        networks.values()
                .forEach(network -> network.config().hosts().forEach(host -> {
                    Authority authority = Authority.parse(host);
                    if (authority != null) {
                        found.put(authority.host(), network);
                    }
                }));
        this.byHost = Map.copyOf(found);
        ServerConfig server = config.server();
        Set<String> allowed = new HashSet<>(server.hosts());
        allowed.addAll(byHost.keySet());
        allowed.add(server.host());
        this.hosts = new AllowedHosts(allowed);
        this.origins = new AllowedOrigins(server.cors().origins());
    }

    /** The configuration that made it. */
    public WeirConfig config() {
        return config;
    }

    /** The API keys. */
    public KeyRing keys() {
        return keys;
    }

    /** The hosts that requests may be sent to. */
    public AllowedHosts hosts() {
        return hosts;
    }

    /** The origins whose pages may send requests. */
    public AllowedOrigins origins() {
        return origins;
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
        Authority authority = Authority.parse(host);
        return authority == null ? defaultNetwork : byHost.getOrDefault(authority.host(), defaultNetwork);
    }
}
