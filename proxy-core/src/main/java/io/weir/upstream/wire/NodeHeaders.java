package io.weir.upstream.wire;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Map;

/** Headers of requests to a node. Thread-safe. */
public final class NodeHeaders {

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

    private NodeHeaders() {}

    /**
     * Returns the headers of a request, including the URL's credentials.
     *
     * @param preset the defaults of this kind of request, which the configuration may replace
     * @param configured replace the proxy's own headers of the same name
     * @throws IllegalArgumentException if a header cannot be sent; the message shows only its name
     */
    public static HttpHeaders of(
            NodeAddress address, Map<? extends CharSequence, String> preset, Map<String, String> configured) {
        HttpHeaders headers = new DefaultHttpHeaders();
        headers.set(HttpHeaderNames.HOST, address.hostHeader());
        headers.set(HttpHeaderNames.USER_AGENT, "weir");
        preset.forEach(headers::set);
        if (address.authorization() != null) {
            headers.set(HttpHeaderNames.AUTHORIZATION, address.authorization());
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
}
