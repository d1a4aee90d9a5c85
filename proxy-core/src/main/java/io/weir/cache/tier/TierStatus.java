package io.weir.cache.tier;

/**
 * How a tier is, for the status page. Immutable.
 *
 * @param state in a few words
 * @param entries that it holds; -1 where that is not known
 * @param bytes that it takes; -1 where that is not known
 */
public record TierStatus(String name, String state, long entries, long bytes, long hits, long misses, long stored) {}
