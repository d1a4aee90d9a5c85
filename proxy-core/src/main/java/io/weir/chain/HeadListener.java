package io.weir.chain;

/** Hears what becomes of a network's head, in the order in which it happens; returns at once. Thread-safe. */
public interface HeadListener {

    /** The head is this block now, higher than the one before. */
    void rose(long number);

    /**
     * The chain lost blocks: every upstream that counts names a lower head than the one that was known.
     *
     * @param from the head before
     * @param to the head now
     */
    void wentBack(long from, long to);
}
