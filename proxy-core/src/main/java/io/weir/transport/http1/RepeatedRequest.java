package io.weir.transport.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.DefaultByteBufHolder;
import io.netty.handler.codec.http.HttpRequest;

/**
 * A whole request whose head equals an earlier one of its connection, byte for byte except the number in
 * Content-Length. The receiver releases it. Confined to its event loop.
 */
public final class RepeatedRequest extends DefaultByteBufHolder {

    private final HttpRequest first;

    /** @param body given up by the caller */
    RepeatedRequest(HttpRequest first, ByteBuf body) {
        super(body);
        this.first = first;
    }

    /** Returns the first request with this head. Everything but its length applies to this one. */
    public HttpRequest first() {
        return first;
    }
}
