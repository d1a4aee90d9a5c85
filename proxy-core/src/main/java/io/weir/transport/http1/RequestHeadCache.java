package io.weir.transport.http1;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.weir.framing.HeadCache;
import org.jspecify.annotations.Nullable;

/** The last request head of a connection. Clients send the same head repeatedly. Confined to its event loop. */
final class RequestHeadCache {

    /** Lines cost more than their bytes, and cached heads do not count as in flight. */
    private static final int MAX_LINES = 32;

    private final HeadCache<HttpRequest> heads;

    /** @param maxBodyBytes maximum body of a request that is decoded at once */
    RequestHeadCache(int maxBodyBytes) {
        this.heads = new HeadCache<>(maxBodyBytes);
    }

    /**
     * Caches a parsed head if it is simple: a POST with a length and without Expect.
     *
     * @param in holds the head's bytes from {@code start} to {@code end}; remains the caller's
     */
    void learn(HttpRequest understood, ByteBuf in, int start, int end) {
        if (understood.headers().size() <= MAX_LINES && isSimple(understood)) {
            heads.learn(understood, in, start, end);
        } else {
            heads.forget();
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
        HttpRequest known = heads.pass(in);
        return known == null ? null : new RepeatedRequest(known, in.readRetainedSlice(heads.bodyBytes()));
    }
}
