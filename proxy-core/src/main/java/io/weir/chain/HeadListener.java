package io.weir.chain;

/** Listener of a network's head. It is called in the order of events and must return at once. Thread-safe. */
public interface HeadListener {

    /** Handles a new head, higher than the one before. */
    default void rose(long number) {}

    /**
     * Handles a confirmation: in a round, an upstream named the head.
     *
     * @param beganNanos when the round began
     */
    default void confirmed(long number, long beganNanos) {}

    /**
     * Handles a loss of blocks: every upstream that counts names a lower head than the known one.
     *
     * @param from the head before
     * @param to the head now
     */
    default void wentBack(long from, long to) {}
}
