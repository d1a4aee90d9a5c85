package io.weir.upstream.pool;

import io.netty.channel.EventLoop;
import io.weir.metrics.Meters;
import io.weir.upstream.budget.UnitLedger;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;

/**
 * Event loop, meters, clock and random numbers that the parts of a pool share. Immutable.
 *
 * @param loop the monitor's event loop
 * @param clock nanoseconds, as {@link System#nanoTime}
 * @param random returns a number from 0 to its argument, exclusive; thread-safe
 * @param ledger counts the units of nodes with budgets
 */
record PoolContext(EventLoop loop, Meters meters, LongSupplier clock, IntUnaryOperator random, UnitLedger ledger) {

    PoolContext(EventLoop loop, Meters meters, LongSupplier clock, IntUnaryOperator random) {
        this(loop, meters, clock, random, UnitLedger.inMemory(System::currentTimeMillis));
    }
}
