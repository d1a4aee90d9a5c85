package io.weir.upstream.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.URI;
import java.net.URLDecoder;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Address of a node, from its URL, and the headers of requests to it. Holds credentials: {@link #toString} shows nothing. Immutable.
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

    /** Headers of the connection or the framing, which the configuration cannot set. */
    private static final List<CharSequence> OWN = List.of(
            HttpHeaderNames.CONTENT_LENGTH,
            HttpHeaderNames.TRANSFER_ENCODING,
            HttpHeaderNames.CONNECTION,
            HttpHeaderNames.UPGRADE,
            HttpHeaderNames.TE,
            HttpHeaderNames.TRAILER,
            HttpHeaderNames.EXPECT,
            HttpHeaderNames.ACCEPT_ENCODING,
            HttpHeaderNames.SEC_WEBSOCKET_KEY,
            HttpHeaderNames.SEC_WEBSOCKET_VERSION,
            HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL,
            HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS);

    /** Parses the URL of a node that speaks HTTP. */
    public static NodeAddress ofHttp(URI url) {
        return of(url, "url", "http", "https");
    }

    /** Parses the URL of a node's WebSocket. */
    public static NodeAddress ofWebSocket(URI url) {
        return of(url, "ws-url", "ws", "wss");
    }

    /** @throws IllegalArgumentException if it is not such a URL; the message does not show it */
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

    /**
     * Returns the headers of a request to the node, including the credentials of its URL.
     *
     * @param preset the defaults of this kind of request, which the configuration may replace
     * @param configured replace the proxy's own headers of the same name
     * @throws IllegalArgumentException if a header cannot be sent; the message shows only its name
     */
    public HttpHeaders headers(Map<? extends CharSequence, String> preset, Map<String, String> configured) {
        HttpHeaders headers = new DefaultHttpHeaders();
        headers.set(HttpHeaderNames.HOST, hostHeader);
        headers.set(HttpHeaderNames.USER_AGENT, "weir");
        preset.forEach(headers::set);
        if (authorization != null) {
            headers.set(HttpHeaderNames.AUTHORIZATION, authorization);
        }
        configured.forEach((name, value) -> set(headers, name, value));
        OWN.forEach(headers::remove);
        return headers;
    }

    private static void set(HttpHeaders headers, String name, String value) {
        try {
            headers.set(name, value);
        } catch (IllegalArgumentException e) {
            // Without the cause, because it quotes the value.
            throw new IllegalArgumentException("headers." + name + ": (expected: a header that HTTP can carry)");
        }
    }

    @Override
    public String toString() {
        return "NodeAddress";
    }
}
