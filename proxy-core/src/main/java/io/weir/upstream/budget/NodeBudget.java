package io.weir.upstream.budget;

import io.weir.config.BudgetConfig;
import io.weir.metrics.Meters;
import io.weir.upstream.BudgetStatus;
import io.weir.upstream.NodeOutcome.Failed;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Budget of one node in the units in which its provider bills. Without a bound it counts nothing. Thread-safe. */
public interface NodeBudget extends AutoCloseable {

    /** The budget of a node without bounds. */
    NodeBudget NONE = new NodeBudget() {};

    /**
     * Returns the budget of a node.
     *
     * @param ledger has the units that were used today and in this second
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    static NodeBudget of(
            String network,
            String upstream,
            BudgetConfig config,
            UnitLedger ledger,
            Meters meters,
            LongSupplier clock) {
        return config.isBounded() ? new UnitBudget(network, upstream, config, ledger, meters, clock) : NONE;
    }

    /** Returns whether a call can be paid for. */
    default boolean affords(String method) {
        return true;
    }

    /** Takes the units of a call. Returns null if it may be sent; otherwise its outcome, and nothing is taken. */
    default @Nullable Failed take(String method) {
        return null;
    }

    /** Takes the units of a probe or of a call about a subscription, as {@link #take}. */
    default @Nullable Failed takeProbe(String method) {
        return null;
    }

    /** Takes the units of a message of a subscription, which has arrived. Returns false if the day's are spent with it. */
    default boolean takeNotification() {
        return true;
    }

    /** Notes that a call went to another node because of this budget. */
    default void overflowed() {}

    /**
     * Returns the nanoseconds until the call that was refused last can be paid for; 0 if it can be, or if none was refused; {@link
     * Long#MAX_VALUE} if it never can be.
     */
    default long waitNanos() {
        return 0;
    }

    /** Returns the use at present; null without a bound. */
    default @Nullable BudgetStatus status() {
        return null;
    }

    /** Removes the gauge. The counters stay, and so do the used units. */
    @Override
    default void close() {}
}
