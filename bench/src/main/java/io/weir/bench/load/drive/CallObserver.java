package io.weir.bench.load.drive;

import org.jspecify.annotations.Nullable;

/** Observer of the requests of a load, for what happens in its course. Called on the driver's event loop. */
@FunctionalInterface
public interface CallObserver {

    /** Observer that notes nothing. */
    CallObserver NONE = (intendedNanos, answeredNanos, problem) -> {};

    /**
     * Notes that a request is over.
     *
     * @param intendedNanos when it was meant to leave, on the clock of {@link System#nanoTime}
     * @param problem what is wrong with its answer; null if that is right
     */
    void answered(long intendedNanos, long answeredNanos, @Nullable String problem);
}
