package io.weir.access;

import io.weir.config.Authority;
import java.util.List;
import java.util.Locale;
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

    /**
     * The origin of a page that a browser loaded over HTTP or HTTPS. Immutable.
     *
     * @param authority the host, and the port if the origin names one
     * @param defaultPort the port of the origin's scheme
     */
    public record WebOrigin(Authority authority, int defaultPort) {

        private static final String HTTP = "http://";
        private static final String HTTPS = "https://";
        private static final int HTTP_PORT = 80;
        private static final int HTTPS_PORT = 443;

        /** Returns the origin in an Origin header or a setting, or null if it has another scheme or is malformed. */
        public static @Nullable WebOrigin parse(String text) {
            boolean secure = text.startsWith(HTTPS);
            if (!secure && !text.startsWith(HTTP)) {
                return null;
            }
            Authority authority = Authority.parse(text.substring(secure ? HTTPS.length() : HTTP.length()));
            return authority == null ? null : new WebOrigin(authority, secure ? HTTPS_PORT : HTTP_PORT);
        }

        /**
         * Returns whether a browser may have sent this value of an Origin header. Browsers send {@code null} or {@code scheme://host}.
         * Some programs send their own name.
         */
        public static boolean isOfPage(String text) {
            return text.isBlank()
                    || text.contains("://")
                    || text.strip().toLowerCase(Locale.ROOT).startsWith("null");
        }

        /** Returns the host in the form of {@link Authority#host}. */
        public String host() {
            return authority.host();
        }

        /** Returns the port of the origin, or its scheme's port if the origin names none. */
        public int port() {
            return portOf(authority);
        }

        /**
         * Returns whether the origin has this host and port. An authority without a port has the port of the origin's scheme: TLS may
         * end at another proxy, so that only the browser knows the scheme.
         */
        public boolean isAt(Authority other) {
            return host().equals(other.host()) && port() == portOf(other);
        }

        private int portOf(Authority of) {
            return of.port() < 0 ? defaultPort : of.port();
        }
    }
}
