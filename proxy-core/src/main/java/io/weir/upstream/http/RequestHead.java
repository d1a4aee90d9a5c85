package io.weir.upstream.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.weir.upstream.wire.NodeAddress;
import io.weir.upstream.wire.NodeHeaders;
import java.util.Map;

/**
 * Head of every request to one node, encoded once. Each request has a length, so no intermediary can mistake where it ends.
 * Immutable; holds credentials.
 */
final class RequestHead {

    private static final byte[] END = "\r\n\r\n".getBytes(US_ASCII);
    private static final int MAX_LENGTH_DIGITS = 10;

    private final byte[] prefix;

    /**
     * Encodes the head.
     *
     * @param configured replace the proxy's own headers of the same name
     * @throws IllegalArgumentException if a header cannot be sent; the message shows only its name
     */
    RequestHead(NodeAddress address, Map<String, String> configured) {
        HttpHeaders headers = NodeHeaders.of(address, Map.of(HttpHeaderNames.ACCEPT, "application/json"), configured);
        headers.set(HttpHeaderNames.CONTENT_TYPE, "application/json");
        StringBuilder text = new StringBuilder("POST ").append(address.target()).append(" HTTP/1.1\r\n");
        headers.forEach(header -> text.append(header.getKey())
                .append(": ")
                .append(header.getValue())
                .append("\r\n"));
        prefix = text.append("content-length: ").toString().getBytes(ISO_8859_1);
    }

    /** Returns a complete request. The caller owns the buffer. */
    ByteBuf request(ByteBufAllocator allocator, byte[] body) {
        ByteBuf request = allocator.buffer(prefix.length + MAX_LENGTH_DIGITS + END.length + body.length);
        request.writeBytes(prefix);
        request.writeCharSequence(Integer.toString(body.length), US_ASCII);
        return request.writeBytes(END).writeBytes(body);
    }
}
