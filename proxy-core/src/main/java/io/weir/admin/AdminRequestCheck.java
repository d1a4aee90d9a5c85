package io.weir.admin;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.weir.access.AllowedHosts;
import io.weir.access.AllowedOrigins;
import io.weir.access.AllowedOrigins.WebOrigin;
import io.weir.api.AdminPage.Response;
import io.weir.config.AdminConfig;
import io.weir.config.Authority;
import io.weir.transport.http1.Framing;
import io.weir.transport.request.RequestTarget;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The check of requests to the admin listener by their headers: only requests to its own hosts that no foreign page sent pass. The pages
 * that may send some are the listener's own, and those in {@code admin.origins}. The Host header does not make an origin the listener's own,
 * because {@code admin.hosts} may allow every name. Immutable.
 */
final class AdminRequestCheck {

    private static final Response FOREIGN_HOST = AdminResponses.text(
            403,
            "Host: not served under this name (expected: a loopback name, the address reached, admin.host,"
                    + " or one in the setting admin.hosts)");
    private static final Response FOREIGN_ORIGIN = AdminResponses.text(
            403, "Origin: a foreign page (expected: this listener's own address, or one in the setting admin.origins)");
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final AllowedHosts hosts;
    private final AllowedOrigins listed;
    private final Set<String> ownHosts = new HashSet<>();

    AdminRequestCheck(AdminConfig config) {
        Set<String> allowed = new HashSet<>(config.hosts());
        allowed.add(config.host());
        for (String text : allowed) {
            String host = Authority.hostOf(text);
            if (host != null) {
                ownHosts.add(host);
            }
        }
        // Names of a proxy in front of this listener, which may forward its Host header.
        for (String origin : config.origins()) {
            WebOrigin page = WebOrigin.parse(origin);
            if (page != null) {
                allowed.add(page.host());
            }
        }
        this.hosts = new AllowedHosts(allowed);
        this.listed = new AllowedOrigins(config.origins());
    }

    /**
     * Returns the response that rejects a request, or null if the request is allowed.
     *
     * @param local the address that the client has reached
     */
    @Nullable
    Response rejection(HttpRequest request, InetSocketAddress local) {
        String fault = Framing.fault(request);
        if (fault == null) {
            Framing.toOriginForm(request);
            fault = RequestTarget.fault(request.uri());
        }
        if (fault != null) {
            return AdminResponses.text(400, fault);
        }
        String host = request.headers().get(HttpHeaderNames.HOST);
        if (!hosts.allow(host, local.getAddress())) {
            return FOREIGN_HOST;
        }
        return allowsPages(request.headers().getAll(HttpHeaderNames.ORIGIN), local) ? null : FOREIGN_ORIGIN;
    }

    /**
     * Returns whether the page that sent a request may do so. A client that is not a browser sends no origin and is always allowed.
     *
     * @param sent the values of the Origin headers
     */
    boolean allowsPages(List<String> sent, InetSocketAddress local) {
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
