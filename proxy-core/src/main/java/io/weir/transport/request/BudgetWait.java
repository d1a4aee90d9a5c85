package io.weir.transport.request;

import io.netty.channel.ChannelHandlerContext;
import io.weir.limit.Budget;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A short wait of a connection before new work while too many bytes are in flight. Confined to its event loop. */
public final class BudgetWait {

    private static final long CHECK_MILLIS = 10;
    private static final int CHECKS = 25;

    private final Budget bytes;
    private final ReadPauseHandler pause;
    private boolean waiting;

    public BudgetWait(Budget bytes, ReadPauseHandler pause) {
        this.bytes = bytes;
        this.pause = pause;
    }

    /**
     * Continues at once if the budget has capacity. Otherwise reading pauses until it has, or until the maximum wait is
     * over.
     *
     * @param then gets whether the budget has capacity; not called if the connection has closed meanwhile
     */
    public void await(ChannelHandlerContext ctx, Consumer<Boolean> then) {
        if (bytes.hasCapacity()) {
            then.accept(true);
        } else if (!waiting) {
            waiting = true;
            pause.pause(ReadPauseHandler.Cause.OVER_BUDGET);
            check(ctx, then, CHECKS);
        }
    }

    private void check(ChannelHandlerContext ctx, Consumer<Boolean> then, int left) {
        if (!ctx.channel().isActive() || ctx.isRemoved()) {
            return;
        }
        boolean available = bytes.hasCapacity();
        if (!available && left > 0) {
            ctx.executor().schedule(() -> check(ctx, then, left - 1), CHECK_MILLIS, TimeUnit.MILLISECONDS);
            return;
        }
        waiting = false;
        then.accept(available);
        pause.resume(ReadPauseHandler.Cause.OVER_BUDGET);
    }
}
