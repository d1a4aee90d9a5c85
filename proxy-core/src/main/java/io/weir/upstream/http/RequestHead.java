package io.weir.upstream.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Map;

/**
 * The head of every request to one node, written once. Each request has a length: nothing between the proxy and the node can
 * take its end for another place. Immutable; holds credentials.
 */
final class RequestHead {

    private static final byte[] END = "\r\n\r\n".getBytes(US_ASCII);
    private static final int MAX_LENGTH_DIGITS = 10;

    /** What is about the connection or the framing, and so is never the configuration's. */
    private static final List<CharSequence> OWN = List.of(
            HttpHeaderNames.CONTENT_LENGTH,
            HttpHeaderNames.TRANSFER_ENCODING,
            HttpHeaderNames.CONNECTION,
            HttpHeaderNames.UPGRADE,
            HttpHeaderNames.TE,
            HttpHeaderNames.TRAILER,
            HttpHeaderNames.EXPECT,
            HttpHeaderNames.ACCEPT_ENCODING);

    private final byte[] prefix;

    /**
     * Writes the head.
     *
     * @param configured replace the proxy's own of the same name
     * @throws IllegalArgumentException when a header cannot be sent; the message shows only its name
     */
    RequestHead(NodeAddress address, Map<String, String> configured) {
        HttpHeaders headers = new DefaultHttpHeaders();
        headers.set(HttpHeaderNames.HOST, address.hostHeader());
        headers.set(HttpHeaderNames.USER_AGENT, "weir");
        headers.set(HttpHeaderNames.ACCEPT, "application/json");
        if (address.authorization() != null) {
            headers.set(HttpHeaderNames.AUTHORIZATION, address.authorization());
        }
        configured.forEach((name, value) -> set(headers, name, value));
        headers.set(HttpHeaderNames.CONTENT_TYPE, "application/json");
        OWN.forEach(headers::remove);
        StringBuilder text = new StringBuilder("POST ").append(address.target()).append(" HTTP/1.1\r\n");
        headers.forEach(header -> text.append(header.getKey())
                .append(": ")
                .append(header.getValue())
                .append("\r\n"));
        prefix = text.append("content-length: ").toString().getBytes(ISO_8859_1);
    }

    private static void set(HttpHeaders headers, String name, String value) {
        try {
            headers.set(name, value);
        } catch (IllegalArgumentException e) {
            // The cause is left out because it quotes the value.
            throw new IllegalArgumentException("headers." + name + ": (expected: a header that HTTP can carry)");
        }
    }

    /** A whole request. The caller owns the buffer. */
    ByteBuf request(ByteBufAllocator allocator, byte[] body) {
        ByteBuf request = allocator.buffer(prefix.length + MAX_LENGTH_DIGITS + END.length + body.length);
        request.writeBytes(prefix);
        request.writeCharSequence(Integer.toString(body.length), US_ASCII);
        return request.writeBytes(END).writeBytes(body);
    }
}
