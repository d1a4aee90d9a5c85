package io.weir.transport.websocket;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Holds back messages while the fragments of another one are being sent, because nothing but control frames may come between them
 * (RFC 6455, 5.4). The senders bound what waits. Confined to its event loop.
 */
final class MessageOrderHandler extends ChannelOutboundHandlerAdapter {

    private final Queue<Held> held = new ArrayDeque<>(0);
    private boolean fragmented;

    /** A message with its promise. Immutable. */
    private record Held(Object message, ChannelPromise promise) {}

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof TextWebSocketFrame text) {
            if (fragmented) {
                held.add(new Held(message, promise));
                return;
            }
            fragmented = !text.isFinalFragment();
        }
        ctx.write(message, promise);
        if (message instanceof ContinuationWebSocketFrame last && last.isFinalFragment()) {
            fragmented = false;
            release(ctx);
        }
    }

    private void release(ChannelHandlerContext ctx) {
        boolean any = !held.isEmpty();
        for (Held next = held.poll(); next != null; next = fragmented ? null : held.poll()) {
            write(ctx, next.message(), next.promise());
        }
        if (any) {
            ctx.flush();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        for (Held next = held.poll(); next != null; next = held.poll()) {
            ReferenceCountUtil.release(next.message());
            if (!next.promise().isVoid()) {
                next.promise().tryFailure(new ClosedChannelException());
            }
        }
    }
}
