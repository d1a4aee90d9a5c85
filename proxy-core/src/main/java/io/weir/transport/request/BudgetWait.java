package io.weir.transport.request;

import io.netty.channel.ChannelHandlerContext;
import io.weir.limit.Share;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A short wait of a connection before new work while too many bytes are in flight. Confined to its event loop. */
public final class BudgetWait {

    private static final long CHECK_MILLIS = 10;
    private static final int CHECKS = 25;

    private final ReadPauseHandler pause;
    private boolean waiting;

    public BudgetWait(ReadPauseHandler pause) {
        this.pause = pause;
    }

    /**
     * Continues at once if the holder may take more of the budget. Otherwise reading pauses until it may, or until the maximum wait is
     * over.
     *
     * @param then gets whether it may; not called if the connection has closed meanwhile
     */
    public void await(ChannelHandlerContext ctx, Share bytes, Consumer<Boolean> then) {
        if (bytes.permits(1)) {
            then.accept(true);
        } else if (!waiting) {
            waiting = true;
            pause.pause(ReadPauseHandler.Cause.OVER_BUDGET);
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
        waiting = false;
        then.accept(available);
        pause.resume(ReadPauseHandler.Cause.OVER_BUDGET);
    }
}
