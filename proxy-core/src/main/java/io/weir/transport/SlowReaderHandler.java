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
 * Closes a connection whose client takes none of the bytes that wait for it. Stands where flushes reach the socket; only a
 * client that leaves bytes waiting costs a timer. Confined to its event loop.
 */
final class SlowReaderHandler extends ChannelDuplexHandler {

    /** How often it looks within the time allowed. */
    private static final int LOOKS = 4;

    private final long timeoutNanos;
    private final Counter cut;
    private @Nullable Future<?> timer;
    private @Nullable Object waiting;
    private long waitingProgress;
    private long waitingBytes;
    private int looks;

    SlowReaderHandler(long timeoutMillis, Counter cut) {
        this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        this.cut = cut;
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        ctx.flush();
        ChannelOutboundBuffer out = ctx.channel().unsafe().outboundBuffer();
        if (timer == null && out != null && !out.isEmpty()) {
            note(out);
            looks = 0;
            arm(ctx);
        }
    }

    private void look(ChannelHandlerContext ctx) {
        timer = null;
        Channel channel = ctx.channel();
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        if (out == null || out.isEmpty()) {
            waiting = null;
            return;
        }
        looks = hasMoved(out) ? 0 : looks + 1;
        if (looks < LOOKS) {
            note(out);
            arm(ctx);
        } else {
            cut.inc();
            ctx.close();
        }
    }

    /** Whether the client has taken anything since the last look: the message in turn is another one, or part of it is gone. */
    @SuppressWarnings("ReferenceEquality")
    private boolean hasMoved(ChannelOutboundBuffer out) {
        return out.current() != waiting
                || out.currentProgress() != waitingProgress
                || out.totalPendingWriteBytes() < waitingBytes;
    }

    private void note(ChannelOutboundBuffer out) {
        waiting = out.current();
        waitingProgress = out.currentProgress();
        waitingBytes = out.totalPendingWriteBytes();
    }

    private void arm(ChannelHandlerContext ctx) {
        timer = ctx.executor().schedule(() -> look(ctx), timeoutNanos / LOOKS, TimeUnit.NANOSECONDS);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (timer != null) {
            timer.cancel(false);
        }
        ctx.fireChannelInactive();
    }
}
