package io.weir.upstream.link;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.weir.framing.DecimalText;
import io.weir.jsonrpc.RawJson;
import io.weir.tracing.TraceHeaders;
import io.weir.upstream.wire.NodeAddress;
import io.weir.upstream.wire.NodeHeaders;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The head that all requests to one node share. Each request has a length, so no intermediary can mistake where it ends. Immutable;
 * holds credentials.
 */
final class RequestHead {

    private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(US_ASCII);
    private static final int MAX_LENGTH_DIGITS = 10;

    /** Up to the value of the last header, which is the length of the body. */
    private final byte[] head;

    private RequestHead(byte[] head) {
        this.head = head;
    }

    /**
     * Encodes the head.
     *
     * @param configured replace the proxy's own headers of the same name
     * @param gzip whether answers may come in gzip
     * @throws IllegalArgumentException if a header cannot be sent; the message shows only its name
     */
    static RequestHead of(NodeAddress address, Map<String, String> configured, boolean gzip) {
        HttpHeaders headers = NodeHeaders.of(address, Map.of(HttpHeaderNames.ACCEPT, "application/json"), configured);
        headers.set(HttpHeaderNames.CONTENT_TYPE, "application/json");
        if (gzip) {
            headers.set(HttpHeaderNames.ACCEPT_ENCODING, HttpHeaderValues.GZIP);
        }
        StringBuilder text = new StringBuilder("POST ").append(address.target()).append(" HTTP/1.1\r\n");
        headers.forEach(header -> text.append(header.getKey())
                .append(": ")
                .append(header.getValue())
                .append("\r\n"));
        return new RequestHead(text.append("content-length: ").toString().getBytes(ISO_8859_1));
    }

    /**
     * Returns a whole request, which the caller owns.
     *
     * @param trace headers of this request alone; null for none
     */
    ByteBuf before(RawJson body, @Nullable TraceHeaders trace, ByteBufAllocator allocator) {
        String more = trace == null ? "" : lines(trace);
        ByteBuf request = allocator
                .buffer(head.length + MAX_LENGTH_DIGITS + more.length() + END_OF_HEAD.length + body.length())
                .writeBytes(head);
        DecimalText.write(request, body.length());
        if (trace != null) {
            request.writeCharSequence(more, US_ASCII);
        }
        return request.writeBytes(END_OF_HEAD).writeBytes(body.array(), body.offset(), body.length());
    }

    private static String lines(TraceHeaders trace) {
        String parent = "\r\n" + TraceHeaders.PARENT + ": " + trace.parent();
        return trace.state() == null ? parent : parent + "\r\n" + TraceHeaders.STATE + ": " + trace.state();
    }
}
