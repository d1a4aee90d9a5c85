package io.weir.transport;

import com.codahale.metrics.Counter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose client reads none of the bytes waiting for it. It is placed where flushes reach the socket.
 * Only a client that leaves bytes waiting needs a timer. Confined to its event loop.
 */
final class SlowReaderHandler extends ChannelDuplexHandler {

    /** Number of checks within the time allowed. */
    private static final int CHECKS = 4;

    private final long timeoutNanos;
    private final Counter closed;
    private @Nullable Future<?> timer;
    private @Nullable Object waiting;
    private long waitingProgress;
    private long waitingBytes;
    private int checks;

    SlowReaderHandler(long timeoutMillis, Counter closed) {
        this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        this.closed = closed;
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        ctx.flush();
        ChannelOutboundBuffer out = ctx.channel().unsafe().outboundBuffer();
        if (timer == null && out != null && !out.isEmpty()) {
            remember(out);
            checks = 0;
            arm(ctx);
        }
    }

    private void check(ChannelHandlerContext ctx) {
        timer = null;
        Channel channel = ctx.channel();
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        if (out == null || out.isEmpty()) {
            waiting = null;
            return;
        }
        checks = hasMoved(out) ? 0 : checks + 1;
        if (checks < CHECKS) {
            remember(out);
            arm(ctx);
        } else {
            closed.inc();
            ctx.close();
        }
    }

    /**
     * Returns whether the client has read anything since the last check: another message is current, or part of it was
     * sent.
     */
    @SuppressWarnings("ReferenceEquality")
    private boolean hasMoved(ChannelOutboundBuffer out) {
        return out.current() != waiting
                || out.currentProgress() != waitingProgress
                || out.totalPendingWriteBytes() < waitingBytes;
    }

    private void remember(ChannelOutboundBuffer out) {
        waiting = out.current();
        waitingProgress = out.currentProgress();
        waitingBytes = out.totalPendingWriteBytes();
    }

    private void arm(ChannelHandlerContext ctx) {
        timer = ctx.executor().schedule(() -> check(ctx), timeoutNanos / CHECKS, TimeUnit.NANOSECONDS);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (timer != null) {
            timer.cancel(false);
        }
        ctx.fireChannelInactive();
    }
}
