package io.weir.cache.memory;

/**
 * The prints of results that left before anybody asked for them again, as the ghost queue of S3-FIFO (Yang et al., SOSP 2023) has
 * them: one a slot, so that newer ones drive out older ones. A print that is there by chance does no harm. Not thread-safe.
 */
final class GhostQueue {

    private final int[] prints;

    /**
     * An empty table.
     *
     * @param slots a power of two
     */
    GhostQueue(int slots) {
        this.prints = new int[slots];
    }

    void add(int print) {
        prints[slot(print)] = print;
    }

    /** Whether a print is there, which is then taken away. */
    boolean take(int print) {
        int slot = slot(print);
        boolean there = prints[slot] == print && print != 0;
        if (there) {
            prints[slot] = 0;
        }
        return there;
    }

    long bytes() {
        return (long) prints.length * Integer.BYTES;
    }

    private int slot(int print) {
        // Not as a queue is chosen: all prints of one have some bits of that in common.
        return ((print * 0x85EBCA6B) >>> 8) & (prints.length - 1);
    }
}
