package io.weir.access;

import io.weir.config.Authority;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The origins whose pages may send requests. Clients that are not browsers send no origin, or their own name in its place, and are
 * always allowed. Immutable.
 */
public final class AllowedOrigins {

    private static final String ANY = "*";

    private final Set<String> named;
    private final boolean any;

    /** @param named origins as browsers send them, or {@code *} for all */
    public AllowedOrigins(Set<String> named) {
        this.named = Set.copyOf(named);
        this.any = named.contains(ANY);
    }

    public boolean any() {
        return any;
    }

    public boolean isEmpty() {
        return named.isEmpty();
    }

    /**
     * Returns whether a request may be answered. It may if no page sent it, or a page with a configured origin or with the origin
     * of the host that the request was sent to.
     *
     * @param origins the values of the Origin headers
     * @param host the Host header's value, which the caller allows separately; or null
     */
    public boolean allow(List<String> origins, @Nullable String host) {
        return origins.stream().noneMatch(WebOrigin::isOfPage)
                || names(origins)
                || (origins.size() == 1 && isSame(origins.get(0), host));
    }

    /**
     * Returns whether a page sent the request and its origin is configured.
     *
     * @param origins the values of the Origin headers
     */
    public boolean names(List<String> origins) {
        return origins.size() == 1 && (any || named.contains(origins.get(0)));
    }

    private static boolean isSame(String origin, @Nullable String host) {
        WebOrigin from = WebOrigin.parse(origin);
        Authority to = host == null ? null : Authority.parse(host);
        return from != null && to != null && from.isAt(to);
    }
}
