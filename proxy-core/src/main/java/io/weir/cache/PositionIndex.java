package io.weir.cache;

/**
 * Index of records by the fingerprints of their names. It is an open hash table of primitives with linear probing, 12 bytes
 * a slot and at most two thirds full. Records themselves distinguish two names with one fingerprint; the later one wins.
 * Thread-safe: methods hold the index's own monitor, and a caller may hold it for several operations.
 */
public final class PositionIndex {

    private static final int SLOT_BYTES = Long.BYTES + Integer.BYTES;
    private static final int MIN_SLOTS = 64;

    private long[] fingerprints = new long[MIN_SLOTS];
    /** The record's position plus one; 0 if the slot is free. */
    private int[] positions = new int[MIN_SLOTS];

    private int entries;

    /** Stores a record's position, which is not negative. */
    public synchronized void put(long fingerprint, int position) {
        if ((entries + 1) * 3L > fingerprints.length * 2L) {
            resize(fingerprints.length * 2);
        }
        insert(fingerprint, position + 1);
    }

    private void insert(long fingerprint, int value) {
        int slot = find(fingerprint);
        if (positions[slot] == 0) {
            entries++;
        }
        fingerprints[slot] = fingerprint;
        positions[slot] = value;
    }

    private void resize(int slots) {
        long[] oldFingerprints = fingerprints;
        int[] oldPositions = positions;
        fingerprints = new long[slots];
        positions = new int[slots];
        entries = 0;
        for (int i = 0; i < oldFingerprints.length; i++) {
            if (oldPositions[i] != 0) {
                insert(oldFingerprints[i], oldPositions[i]);
            }
        }
    }

    /** Returns the position of a record; -1 if there is none. */
    public synchronized int get(long fingerprint) {
        return positions[find(fingerprint)] - 1;
    }

    public synchronized void remove(long fingerprint) {
        int free = find(fingerprint);
        if (positions[free] == 0) {
            return;
        }
        entries--;
        // Entries displaced by the removed one move up, so that no search ends early.
        for (int next = next(free); positions[next] != 0; next = next(next)) {
            if (distance(slot(fingerprints[next]), next) >= distance(free, next)) {
                fingerprints[free] = fingerprints[next];
                positions[free] = positions[next];
                free = next;
            }
        }
        positions[free] = 0;
        if (fingerprints.length > MIN_SLOTS && entries * 6L < fingerprints.length) {
            resize(fingerprints.length / 2);
        }
    }

    /** Removes all records and frees their memory. */
    public synchronized void clear() {
        fingerprints = new long[MIN_SLOTS];
        positions = new int[MIN_SLOTS];
        entries = 0;
    }

    public synchronized int entries() {
        return entries;
    }

    public synchronized long bytes() {
        return (long) fingerprints.length * SLOT_BYTES;
    }

    /** Returns the slot of a fingerprint, or the free slot for it. */
    private int find(long fingerprint) {
        int slot = slot(fingerprint);
        while (positions[slot] != 0 && fingerprints[slot] != fingerprint) {
            slot = next(slot);
        }
        return slot;
    }

    private int next(int slot) {
        return (slot + 1) & (fingerprints.length - 1);
    }

    private int distance(int from, int to) {
        return (to - from) & (fingerprints.length - 1);
    }

    private int slot(long fingerprint) {
        return (int) ((fingerprint * 0x9E3779B97F4A7C15L) >>> 40) & (fingerprints.length - 1);
    }
}
