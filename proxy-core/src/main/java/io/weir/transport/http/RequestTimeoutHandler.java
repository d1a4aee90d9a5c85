package io.weir.transport.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;
import io.weir.config.ServerConfig;
import io.weir.transport.answer.AnswerStyle;
import io.weir.transport.entry.ReadPauseHandler;
import io.weir.transport.entry.Rejection;
import io.weir.transport.http1.RequestDecoder;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that do not arrive whole in time, and closes connections without any. Only a request that takes more than
 * one read costs a timer. Confined to its event loop.
 */
final class RequestTimeoutHandler extends ChannelDuplexHandler {

    private final long idleNanos;
    private final long headerNanos;
    private final long requestNanos;
    private final RequestDecoder decoder;
    private final ReadPauseHandler pause;
    private final BooleanSupplier busy;
    private @Nullable Future<?> timer;
    private long timerNanos;
    private boolean midRequest;
    private long midRequestEnded;
    private long sinceNanos;

    /**
     * Watches a connection.
     *
     * @param busy whether answers are owed: meanwhile the connection is not idle
     */
    RequestTimeoutHandler(ServerConfig config, RequestDecoder decoder, ReadPauseHandler pause, BooleanSupplier busy) {
        this.idleNanos = TimeUnit.MILLISECONDS.toNanos(config.idleMillis());
        this.headerNanos = TimeUnit.MILLISECONDS.toNanos(config.headerTimeoutMillis());
        this.requestNanos = TimeUnit.MILLISECONDS.toNanos(config.requestTimeoutMillis());
        this.decoder = decoder;
        this.pause = pause;
        this.busy = busy;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        sinceNanos = System.nanoTime();
        arm(ctx, quietNanos());
        ctx.fireChannelActive();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        boolean newOne = !midRequest || midRequestEnded != decoder.ended();
        midRequest = decoder.isMidRequest();
        midRequestEnded = decoder.ended();
        if (midRequest && newOne) {
            sinceNanos = System.nanoTime();
            if (timerNanos - sinceNanos > allowedNanos()) {
                arm(ctx, allowedNanos());
            }
        } else if (!midRequest) {
            sinceNanos = System.nanoTime();
        }
        ctx.fireChannelReadComplete();
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        if (!midRequest) {
            sinceNanos = System.nanoTime();
        }
        ctx.flush();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        disarm();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        disarm();
        ctx.fireChannelInactive();
    }

    private void check(ChannelHandlerContext ctx) {
        long now = System.nanoTime();
        boolean mid = midRequest && !pause.isPaused();
        if (!mid && (busy.getAsBoolean() || pause.isPaused())) {
            // The time that answers take is not the client's.
            sinceNanos = now;
        }
        long left = (mid ? allowedNanos() : quietNanos()) - (now - sinceNanos);
        if (left > 0) {
            arm(ctx, midRequest ? Math.min(left, allowedNanos()) : left);
        } else if (mid) {
            Rejection refusal = new Rejection(
                    Rejection.Reason.SLOW,
                    decoder.isInHead() ? "headers: did not arrive in time" : "request: did not arrive whole in time");
            ctx.fireChannelRead(new ClientRequest.Refused(refusal, AnswerStyle.LAST));
        } else {
            ctx.close();
        }
    }

    /** For a connection without a request: until the first one it has the time of a head. */
    private long quietNanos() {
        return decoder.ended() == 0 ? Math.min(idleNanos, headerNanos) : idleNanos;
    }

    /** For what has begun to arrive, since it began. */
    private long allowedNanos() {
        return decoder.isInHead() ? Math.min(headerNanos, requestNanos) : requestNanos;
    }

    private void arm(ChannelHandlerContext ctx, long nanos) {
        disarm();
        timerNanos = System.nanoTime() + nanos;
        timer = ctx.executor().schedule(() -> check(ctx), nanos, TimeUnit.NANOSECONDS);
    }

    private void disarm() {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
