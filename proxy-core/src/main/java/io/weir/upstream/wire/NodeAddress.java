package io.weir.upstream.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URLDecoder;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Address of a node, from its URL. Holds credentials: {@link #toString} shows nothing. Immutable.
 *
 * @param host a name or an address, without brackets
 * @param hostHeader the value of the Host header
 * @param target path and query
 * @param authorization the header for the user in the URL, or null if there is none
 */
public record NodeAddress(
        boolean tls,
        String host,
        int port,
        String hostHeader,
        String target,
        @Nullable String authorization) {

    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    /**
     * Parses the URL of a node that speaks HTTP.
     *
     * @throws IllegalArgumentException if it is not such a URL; the message does not show it
     */
    public static NodeAddress ofHttp(URI url) {
        return of(url, "url", "http", "https");
    }

    /**
     * Parses the URL of a node's WebSocket.
     *
     * @throws IllegalArgumentException if it is not such a URL; the message does not show it
     */
    public static NodeAddress ofWebSocket(URI url) {
        return of(url, "ws-url", "ws", "wss");
    }

    private static NodeAddress of(URI url, String setting, String plain, String secure) {
        URI ascii = URI.create(url.toASCIIString());
        String scheme = ascii.getScheme() == null ? "" : ascii.getScheme().toLowerCase(Locale.ROOT);
        boolean tls = scheme.equals(secure);
        if ((!tls && !scheme.equals(plain)) || ascii.getHost() == null) {
            throw new IllegalArgumentException(
                    setting + ": (expected: " + plain + ":// or " + secure + ":// and a host)");
        }
        int preset = tls ? HTTPS : HTTP;
        int port = ascii.getPort() < 0 ? preset : ascii.getPort();
        String host = ascii.getHost();
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        String path = ascii.getRawPath() == null || ascii.getRawPath().isEmpty() ? "/" : ascii.getRawPath();
        String target = ascii.getRawQuery() == null ? path : path + '?' + ascii.getRawQuery();
        return new NodeAddress(
                tls, bare, port, port == preset ? host : host + ':' + port, target, basic(ascii.getRawUserInfo()));
    }

    private static @Nullable String basic(@Nullable String userInfo) {
        if (userInfo == null) {
            return null;
        }
        // The decoder assumes form fields, where a plus is a space. Here it is a plus.
        String plain = URLDecoder.decode(userInfo.replace("+", "%2B"), UTF_8);
        String pair = plain.indexOf(':') < 0 ? plain + ':' : plain;
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
    }

    @Override
    public String toString() {
        return "NodeAddress";
    }
}
