package io.weir.transport.entry;

import io.netty.channel.ChannelHandlerContext;
import io.weir.limit.Budget;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Has a connection wait a little with new work while too many bytes are in flight. Confined to its event loop. */
public final class BudgetWait {

    private static final long LOOK_MILLIS = 10;
    private static final int LOOKS = 25;

    private final Budget bytes;
    private final ReadPauseHandler pause;
    private boolean waiting;

    public BudgetWait(Budget bytes, ReadPauseHandler pause) {
        this.bytes = bytes;
        this.pause = pause;
    }

    /**
     * Goes on at once where there is room. Otherwise reading pauses until there is, or for as long as one waits.
     *
     * @param then told whether there is room; never where the connection has closed meanwhile
     */
    public void await(ChannelHandlerContext ctx, Consumer<Boolean> then) {
        if (bytes.hasCapacity()) {
            then.accept(true);
        } else if (!waiting) {
            waiting = true;
            pause.pause(ReadPauseHandler.Cause.NO_ROOM);
            look(ctx, then, LOOKS);
        }
    }

    private void look(ChannelHandlerContext ctx, Consumer<Boolean> then, int left) {
        if (!ctx.channel().isActive() || ctx.isRemoved()) {
            return;
        }
        boolean room = bytes.hasCapacity();
        if (!room && left > 0) {
            ctx.executor().schedule(() -> look(ctx, then, left - 1), LOOK_MILLIS, TimeUnit.MILLISECONDS);
            return;
        }
        waiting = false;
        then.accept(room);
        pause.resume(ReadPauseHandler.Cause.NO_ROOM);
    }
}
