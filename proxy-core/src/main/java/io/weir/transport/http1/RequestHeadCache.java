package io.weir.transport.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The last request head of a connection, as bytes. Clients send the same head repeatedly, so it need not be parsed
 * again. Confined to its event loop.
 */
final class RequestHeadCache {

    private static final int MAX_HEAD_BYTES = 1024;
    /** Lines cost more than their bytes, and cached heads do not count as in flight. */
    private static final int MAX_LINES = 32;

    private static final int MAX_DIGITS = 6;
    private static final String NAME = "\r\ncontent-length:";

    private final int maxBodyBytes;
    private ByteBuf head = Unpooled.EMPTY_BUFFER;
    private int digitsStart;
    private int digitsEnd;
    private @Nullable HttpRequest request;

    /**
     * Creates an empty cache.
     *
     * @param maxBodyBytes maximum body of a request that is decoded at once
     */
    RequestHeadCache(int maxBodyBytes) {
        this.maxBodyBytes = maxBodyBytes;
    }

    /**
     * Caches a parsed head if it is simple: a POST with a length and without Expect.
     *
     * @param in holds the head's bytes from {@code start} to {@code end}; remains the caller's
     */
    void learn(HttpRequest understood, ByteBuf in, int start, int end) {
        request = null;
        if (end - start > MAX_HEAD_BYTES || understood.headers().size() > MAX_LINES || !isSimple(understood)) {
            return;
        }
        byte[] bytes = ByteBufUtil.getBytes(in, start, end - start);
        int name = new AsciiString(bytes, false)
                .toString()
                .toLowerCase(Locale.ROOT)
                .indexOf(NAME);
        int from = name + NAME.length();
        while (name >= 0 && bytes[from] == ' ') {
            from++;
        }
        int to = from;
        while (name >= 0 && isDigit(bytes[to])) {
            to++;
        }
        if (name >= 0 && to > from && bytes[to] == '\r') {
            head = Unpooled.wrappedBuffer(bytes);
            digitsStart = from;
            digitsEnd = to;
            request = understood;
        }
    }

    private static boolean isSimple(HttpRequest request) {
        HttpHeaders headers = request.headers();
        return request.decoderResult().isSuccess()
                && request.method().equals(HttpMethod.POST)
                && request.protocolVersion().equals(HttpVersion.HTTP_1_1)
                && headers.getAll(HttpHeaderNames.CONTENT_LENGTH).size() == 1
                && !headers.contains(HttpHeaderNames.TRANSFER_ENCODING)
                && !headers.contains(HttpHeaderNames.EXPECT)
                && !headers.contains(HttpHeaderNames.UPGRADE);
    }

    /**
     * Decodes a whole request with the cached head from a buffer. Returns null and consumes nothing if there is none.
     */
    @Nullable
    RepeatedRequest take(ByteBuf in) {
        HttpRequest known = request;
        int start = in.readerIndex();
        if (known == null
                || in.readableBytes() < head.readableBytes()
                || !ByteBufUtil.equals(head, 0, in, start, digitsStart)) {
            return null;
        }
        int at = start + digitsStart;
        int length = 0;
        int digits = 0;
        byte next = in.getByte(at);
        while (isDigit(next) && digits++ < MAX_DIGITS && ++at < in.writerIndex()) {
            length = length * 10 + next - '0';
            next = in.getByte(at);
        }
        int rest = head.readableBytes() - digitsEnd;
        boolean whole = digits > 0
                && length <= maxBodyBytes
                && in.writerIndex() - at - rest >= length
                && ByteBufUtil.equals(head, digitsEnd, in, at, rest);
        if (!whole) {
            return null;
        }
        in.readerIndex(at + rest);
        return new RepeatedRequest(known, in.readRetainedSlice(length));
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
