package io.weir.cache.tier;

/**
 * State of a tier for the status page. Immutable.
 *
 * @param state in a few words
 * @param entries in the tier; -1 if unknown
 * @param bytes of the tier; -1 if unknown
 */
public record TierStatus(String name, String state, long entries, long bytes, long hits, long misses, long stored) {}
