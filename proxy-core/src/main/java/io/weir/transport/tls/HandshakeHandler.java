package io.weir.transport.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.OutOfMemory;
import io.weir.transport.request.Drain;
import io.weir.transport.tls.TlsPipeline.Outcome;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the end of the TLS handshake, for a bounded time, and then adds the handlers of the protocol. Confined to its
 * event loop.
 */
final class HandshakeHandler extends ChannelInboundHandlerAdapter {

    /** The time from the start of a connection to the end of its handshake: several round trips around the world. */
    private static final long TIMEOUT_SECONDS = 10;

    private final EnumCounters<Outcome> outcomes;
    private final Consumer<ChannelPipeline> protocol;
    private @Nullable Future<?> timer;
    private @Nullable Outcome outcome;

    HandshakeHandler(EnumCounters<Outcome> outcomes, Consumer<ChannelPipeline> protocol) {
        this.outcomes = outcomes;
        this.protocol = protocol;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        timer = ctx.executor().schedule(() -> fail(ctx, Outcome.TIMEOUT), TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        disarm();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent completion) {
            if (completion.isSuccess()) {
                succeed(ctx);
            } else {
                fail(ctx, completion.cause());
            }
        } else if (event instanceof SslCloseCompletionEvent) {
            // The client reads no answers after its close_notify.
            ctx.close();
        } else if (outcome == Outcome.OK) {
            ctx.fireUserEventTriggered(event);
        } else if (event instanceof ChannelInputShutdownEvent || event instanceof Drain) {
            fail(ctx, Outcome.CLOSED);
        }
    }

    private void succeed(ChannelHandlerContext ctx) {
        if (end(Outcome.OK)) {
            protocol.accept(ctx.pipeline());
            // Only now do the handlers exist that want to know.
            ctx.fireChannelActive();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        OutOfMemory.check(cause);
        if (outcome == Outcome.OK && !(cause instanceof DecoderException)) {
            ctx.fireExceptionCaught(cause);
        } else if (outcome == null) {
            fail(ctx, cause);
        } else {
            // Bytes of the client that are not TLS, or a failure that was counted.
            ctx.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (outcome == Outcome.OK) {
            ctx.fireChannelInactive();
        } else {
            fail(ctx, Outcome.CLOSED);
        }
    }

    private void fail(ChannelHandlerContext ctx, Throwable cause) {
        fail(ctx, ctx.channel().isActive() && !isReset(cause) ? Outcome.FAILED : Outcome.CLOSED);
    }

    /** Returns whether a failure is one of the socket, and not of TLS. */
    private static boolean isReset(Throwable cause) {
        return cause instanceof IOException && !(cause instanceof SSLException);
    }

    private void fail(ChannelHandlerContext ctx, Outcome failure) {
        if (end(failure)) {
            ctx.close();
        }
    }

    /** Returns false if the handshake has ended before. */
    private boolean end(Outcome end) {
        if (outcome != null) {
            return false;
        }
        outcome = end;
        outcomes.count(end);
        disarm();
        return true;
    }

    private void disarm() {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
