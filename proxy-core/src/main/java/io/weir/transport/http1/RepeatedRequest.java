package io.weir.transport.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.DefaultByteBufHolder;
import io.netty.handler.codec.http.HttpRequest;

/**
 * A request whose body is all there and whose head is that of one before on its connection, byte for byte but for the number in
 * its Content-Length. Whoever takes it releases it. Confined to its event loop.
 */
public final class RepeatedRequest extends DefaultByteBufHolder {

    private final HttpRequest first;

    /**
     * Makes one.
     *
     * @param body given up by the caller
     */
    RepeatedRequest(HttpRequest first, ByteBuf body) {
        super(body);
        this.first = first;
    }

    /** The request whose head it was first: all of it holds for this one, but for the length. */
    public HttpRequest first() {
        return first;
    }
}
