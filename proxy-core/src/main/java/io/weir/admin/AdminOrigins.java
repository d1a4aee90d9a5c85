package io.weir.admin;

import io.weir.access.AllowedOrigins;
import io.weir.access.WebOrigin;
import io.weir.config.AdminConfig;
import io.weir.config.Authority;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The origins whose pages may use the admin listener: its own, and those in {@code admin.origins}. The Host header does
 * not make an origin the listener's own, because {@code admin.hosts} may allow every name. Immutable.
 */
final class AdminOrigins {

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final AllowedOrigins listed;
    private final Set<String> ownHosts = new HashSet<>();

    AdminOrigins(AdminConfig config) {
        this.listed = new AllowedOrigins(config.origins());
        addOwn(config.host());
        config.hosts().forEach(this::addOwn);
    }

    private void addOwn(String text) {
        String host = Authority.hostOf(text);
        if (host != null) {
            ownHosts.add(host);
        }
    }

    /**
     * Returns whether the listener answers a request. A client that is not a browser sends no origin and is always
     * allowed.
     *
     * @param sent the values of the Origin headers
     * @param local the address that the client has reached
     */
    boolean allow(List<String> sent, InetSocketAddress local) {
        return sent.isEmpty() || listed.names(sent) || (sent.size() == 1 && isOwn(sent.get(0), local));
    }

    private boolean isOwn(String sent, InetSocketAddress local) {
        WebOrigin origin = WebOrigin.parse(sent);
        if (origin == null || origin.port() != local.getPort()) {
            return false;
        }
        String host = origin.host();
        return ownHosts.contains(host)
                || host.equals(Authority.text(local.getAddress()))
                || (local.getAddress().isLoopbackAddress() && LOOPBACK.contains(host));
    }
}
