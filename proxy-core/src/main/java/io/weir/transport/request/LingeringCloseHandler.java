package io.weir.transport.request;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.weir.metrics.OutOfMemory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection so that its last answer arrives. It closes the sending side, reads and discards what still
 * arrives, and closes fully after the client has closed, or has sent nothing for a time. A plain close with unread bytes
 * would be a reset, which may destroy the answer. A client of HTTP/2 sends window updates while it takes the answer, so the
 * whole time may be longer. Confined to its event loop.
 */
public final class LingeringCloseHandler extends ChannelInboundHandlerAdapter {

    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final long endNanos = System.nanoTime() + MAX_NANOS;
    private long heardNanos = System.nanoTime();
    private @Nullable Future<?> timer;

    private LingeringCloseHandler() {}

    /** Starts to close the connection. Everything to send must be written and flushed. */
    public static void close(ChannelHandlerContext ctx) {
        if (ctx.channel().isActive() && ctx.channel() instanceof DuplexChannel channel && !channel.isInputShutdown()) {
            LingeringCloseHandler handler = new LingeringCloseHandler();
            channel.pipeline().addFirst(handler);
            handler.begin(channel);
        } else {
            ctx.channel().close();
        }
    }

    private void begin(DuplexChannel channel) {
        channel.config().setAutoRead(true);
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            channel.shutdownOutput();
        } else {
            // Without a close_notify the client takes the last answer for cut off.
            tls.closeOutbound().addListener(sent -> channel.shutdownOutput());
        }
        arm(channel, SILENCE_NANOS);
    }

    private void arm(DuplexChannel channel, long nanos) {
        timer = channel.eventLoop().schedule(() -> check(channel), nanos, TimeUnit.NANOSECONDS);
    }

    private void check(DuplexChannel channel) {
        long now = System.nanoTime();
        long left = Math.min(SILENCE_NANOS - (now - heardNanos), endNanos - now);
        if (left > 0) {
            arm(channel, left);
        } else {
            channel.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        heardNanos = System.nanoTime();
        ReferenceCountUtil.release(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        // No message was passed on, so no later handler needs the event.
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            ctx.close();
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (timer != null) {
            timer.cancel(false);
        }
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        OutOfMemory.check(cause);
        ctx.close();
    }
}
