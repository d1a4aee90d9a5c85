package io.weir.subscription.chain;

/** Clock and timer of the event loop of a stream. Confined to that event loop. */
public interface StreamTimer {

    /** Returns the time in nanoseconds, as {@link System#nanoTime}. */
    long now();

    /** Runs an action later, on the event loop. */
    void after(long nanos, Runnable action);
}
