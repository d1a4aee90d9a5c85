package io.weir.transport.request;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import io.weir.limit.Share;
import io.weir.transport.http1.RequestDecoder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Pauses a connection's reading while there is a cause, and holds back messages that a decoder has already produced.
 * One read of the socket bounds what it holds. Confined to its event loop.
 */
public final class ReadPauseHandler extends ChannelInboundHandlerAdapter implements RequestDecoder.Backlog {

    /** The causes of a pause. */
    public enum Cause {
        /** Enough requests are in flight. */
        IN_FLIGHT,
        /** Enough requests were read in one turn of the event loop. */
        TURN,
        /** Enough of a body was unpacked in one turn of the event loop. */
        UNPACKING,
        /** Enough calls are in flight. */
        CALLS,
        /** The client does not read its answers. */
        UNWRITABLE,
        /** Too many bytes are in flight in total. */
        OVER_BUDGET,
        /** The connection is about to close. */
        ENDING
    }

    /** Milliseconds between two looks at a budget that is exhausted. */
    private static final long CHECK_MILLIS = 10;

    private static final int CHECKS = 25;

    private final Set<Cause> causes = EnumSet.noneOf(Cause.class);
    private final Deque<Object> held = new ArrayDeque<>(0);
    private @Nullable ChannelHandlerContext context;
    private boolean replaying;
    private Runnable nothingHeld = () -> {};
    private boolean awaitingBudget;

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        discard();
    }

    public void pause(Cause cause) {
        if (context != null && causes.add(cause)) {
            context.channel().config().setAutoRead(false);
        }
    }

    /** Removes a cause. Without any cause left, held messages continue and reading resumes. */
    public void resume(Cause cause) {
        if (context != null && causes.remove(cause)) {
            replay(context);
        }
    }

    /** Adds a cause to pause, and holds a message that a later handler has not finished before all others. */
    public void pause(Cause cause, Object unfinished) {
        pause(cause);
        held.addFirst(unfinished);
    }

    /**
     * Continues at once if the holder may take more of a budget. Otherwise reading pauses until it may, or until the maximum wait is over.
     *
     * @param then gets whether it may; not called if the connection has closed meanwhile
     */
    public void awaitBudget(ChannelHandlerContext ctx, Share bytes, Consumer<Boolean> then) {
        if (bytes.permits(1)) {
            then.accept(true);
        } else if (!awaitingBudget) {
            awaitingBudget = true;
            pause(Cause.OVER_BUDGET);
            check(ctx, bytes, then, CHECKS);
        }
    }

    private void check(ChannelHandlerContext ctx, Share bytes, Consumer<Boolean> then, int left) {
        if (!ctx.channel().isActive() || ctx.isRemoved()) {
            return;
        }
        boolean available = bytes.permits(1);
        if (!available && left > 0) {
            ctx.executor().schedule(() -> check(ctx, bytes, then, left - 1), CHECK_MILLIS, TimeUnit.MILLISECONDS);
            return;
        }
        awaitingBudget = false;
        then.accept(available);
        resume(Cause.OVER_BUDGET);
    }

    public boolean isPaused() {
        return !causes.isEmpty();
    }

    /** Returns whether messages are held back that no handler has seen yet. */
    public boolean holdsMessages() {
        return !held.isEmpty();
    }

    /** Sets the action that runs each time when the last held message is gone. */
    public void whenNothingIsHeld(Runnable action) {
        nothingHeld = action;
    }

    @Override
    public boolean isWaiting() {
        return isPaused() || holdsMessages();
    }

    @Override
    public void discard() {
        if (held.isEmpty()) {
            return;
        }
        for (Object message = held.poll(); message != null; message = held.poll()) {
            ReferenceCountUtil.release(message);
        }
        nothingHeld.run();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (causes.isEmpty() && held.isEmpty()) {
            ctx.fireChannelRead(message);
        } else {
            held.add(message);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            resume(Cause.UNWRITABLE);
        } else {
            pause(Cause.UNWRITABLE);
        }
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        discard();
        ctx.fireChannelInactive();
    }

    private void replay(ChannelHandlerContext ctx) {
        if (replaying || !causes.isEmpty()) {
            return;
        }
        replaying = true;
        try {
            boolean any = !held.isEmpty();
            while (causes.isEmpty() && !held.isEmpty()) {
                ctx.fireChannelRead(held.remove());
            }
            if (held.isEmpty()) {
                nothingHeld.run();
            }
            if (any) {
                ctx.fireChannelReadComplete();
            }
        } finally {
            replaying = false;
        }
        if (causes.isEmpty() && ctx.channel().isActive() && !isInputShutdown(ctx)) {
            ctx.channel().config().setAutoRead(true);
        }
    }

    /** After the end of input no more can arrive, and epoll fails if asked to read. */
    private static boolean isInputShutdown(ChannelHandlerContext ctx) {
        return ctx.channel() instanceof DuplexChannel channel && channel.isInputShutdown();
    }
}
