package io.weir.transport.entry;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stops a connection's reading while there is a reason to, and holds back what a decoder had already made of the bytes read.
 * What it holds is bounded by one read of the socket. Confined to its event loop.
 */
public final class ReadPauseHandler extends ChannelInboundHandlerAdapter {

    /** Why reading stops. */
    public enum Cause {
        /** Enough requests are in flight. */
        IN_FLIGHT,
        /** Enough calls are in flight. */
        CALLS,
        /** The client does not read its answers. */
        UNWRITABLE,
        /** Too many bytes are in flight in all. */
        NO_ROOM,
        /** The connection is about to end. */
        ENDING
    }

    private final Set<Cause> causes = EnumSet.noneOf(Cause.class);
    private final Queue<Object> held = new ArrayDeque<>(0);
    private @Nullable ChannelHandlerContext context;
    private boolean replaying;
    private Runnable nothingHeld = () -> {};

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        discard();
    }

    /** Stops reading for a reason. */
    public void pause(Cause cause) {
        if (context != null && causes.add(cause)) {
            context.channel().config().setAutoRead(false);
        }
    }

    /** Takes a reason back; without any left, what was held goes on and reading begins again. */
    public void resume(Cause cause) {
        if (context != null && causes.remove(cause)) {
            goOn(context);
        }
    }

    /** Whether reading stands still. */
    public boolean isPaused() {
        return !causes.isEmpty();
    }

    /** Whether messages were held back that nobody has seen yet. */
    public boolean holdsMessages() {
        return !held.isEmpty();
    }

    /** Sets what runs each time when nothing is held any more. */
    public void whenNothingIsHeld(Runnable action) {
        nothingHeld = action;
    }

    /** Throws away what is held. */
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

    private void goOn(ChannelHandlerContext ctx) {
        if (replaying || !causes.isEmpty()) {
            return;
        }
        replaying = true;
        try {
            boolean any = !held.isEmpty();
            while (causes.isEmpty() && !held.isEmpty()) {
                ctx.fireChannelRead(held.remove());
            }
            if (any) {
                if (held.isEmpty()) {
                    nothingHeld.run();
                }
                ctx.fireChannelReadComplete();
            }
        } finally {
            replaying = false;
        }
        if (causes.isEmpty() && ctx.channel().isActive() && !isInputShutdown(ctx)) {
            ctx.channel().config().setAutoRead(true);
        }
    }

    /** Nothing more is to come then, and epoll fails where it is asked for it all the same. */
    private static boolean isInputShutdown(ChannelHandlerContext ctx) {
        return ctx.channel() instanceof DuplexChannel channel && channel.isInputShutdown();
    }
}
