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

/** Everything created from one configuration. Immutable and thread-safe. */
public final class Generation {

    private final WeirConfig config;
    private final KeyRing keys;
    private final Map<String, Network> networks;
    private final Map<String, Network> byHost;
    private final Network defaultNetwork;
    private final AllowedHosts hosts;
    private final AllowedOrigins origins;

    /** @param networks by name, including the configuration's default network */
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

    public WeirConfig config() {
        return config;
    }

    public KeyRing keys() {
        return keys;
    }

    /** Returns the hosts that requests may be sent to. */
    public AllowedHosts hosts() {
        return hosts;
    }

    /** Returns the origins whose pages may send requests. */
    public AllowedOrigins origins() {
        return origins;
    }

    public Map<String, Network> networks() {
        return networks;
    }

    public @Nullable Network network(String name) {
        return networks.get(name);
    }

    /**
     * Returns the network of a request whose path names none: the one with the Host header's name among its hosts, else
     * the default.
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
