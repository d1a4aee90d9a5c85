package io.weir.upstream.caller;

import java.util.SplittableRandom;

/**
 * Set of short runs of characters, each packed into a number other than 0, with a mark on those seen in another text.
 * Confined to one thread.
 */
final class GramTable {

    /** Secret, so that nobody can write a text whose runs all collide. */
    private static final long MULTIPLIER = new SplittableRandom().nextLong() | 1;

    private final long[] grams;
    private final boolean[] seen;
    private final int shift;

    GramTable(int capacity) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, capacity)) + 1;
        grams = new long[1 << bits];
        seen = new boolean[1 << bits];
        shift = Long.SIZE - bits;
    }

    /** Adds a run. */
    void add(long gram) {
        grams[slot(gram)] = gram;
    }

    /** Marks a run as seen. Returns whether it is in the set. */
    boolean see(long gram) {
        int slot = slot(gram);
        if (grams[slot] != gram) {
            return false;
        }
        seen[slot] = true;
        return true;
    }

    /** Returns whether a run is in the set and was seen. */
    boolean wasSeen(long gram) {
        int slot = slot(gram);
        return grams[slot] == gram && seen[slot];
    }

    private int slot(long gram) {
        int slot = (int) ((gram * MULTIPLIER) >>> shift);
        while (grams[slot] != 0 && grams[slot] != gram) {
            slot = slot + 1 & grams.length - 1;
        }
        return slot;
    }
}
