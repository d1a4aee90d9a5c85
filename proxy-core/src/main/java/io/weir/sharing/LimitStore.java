package io.weir.sharing;

import io.weir.access.SharedRateGate;
import io.weir.upstream.budget.DayUnits.OwnUse;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The place at which proxies share limits. No method blocks. Thread-safe. */
interface LimitStore extends AutoCloseable {

    /** Returns whether it can be reached. */
    boolean isUp();

    /** Returns its state in a few words. */
    String state();

    /**
     * Takes units of the shared bucket of a rate, even if it has fewer.
     *
     * @param sink called once, on any thread, with the units that are left; null if it could not be reached
     */
    void take(SharedRateGate rate, long units, Consumer<@Nullable Long> sink);

    /**
     * Units of one count on one day. Immutable.
     *
     * @param own of this proxy
     * @param others of all others
     */
    record Uses(long own, long others) {}

    /**
     * Tells what this proxy used of a count. To tell it twice changes nothing.
     *
     * @param sink called once, on any thread, with what is known; null if it could not be reached
     */
    void tell(String count, OwnUse use, Consumer<@Nullable Uses> sink);

    @Override
    void close();
}
