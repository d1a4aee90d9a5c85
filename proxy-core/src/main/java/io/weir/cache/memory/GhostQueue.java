package io.weir.cache.memory;

/**
 * Fingerprints of results that were evicted unused: the ghost queue of S3-FIFO (Yang et al., SOSP 2023). Each slot holds
 * one, so newer ones replace older ones. A fingerprint that matches by chance does no harm. Not thread-safe.
 */
final class GhostQueue {

    private final int[] fingerprints;

    /** @param slots a power of two */
    GhostQueue(int slots) {
        this.fingerprints = new int[slots];
    }

    void add(int fingerprint) {
        fingerprints[slot(fingerprint)] = fingerprint;
    }

    /** Removes a fingerprint. Returns whether it was there. */
    boolean take(int fingerprint) {
        int slot = slot(fingerprint);
        boolean there = fingerprints[slot] == fingerprint && fingerprint != 0;
        if (there) {
            fingerprints[slot] = 0;
        }
        return there;
    }

    long bytes() {
        return (long) fingerprints.length * Integer.BYTES;
    }

    private int slot(int fingerprint) {
        // Unlike the choice of a queue: all fingerprints of one queue share some bits of that.
        return ((fingerprint * 0x85EBCA6B) >>> 8) & (fingerprints.length - 1);
    }
}
