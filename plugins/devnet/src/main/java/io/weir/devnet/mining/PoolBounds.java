package io.weir.devnet.mining;

/**
 * How much may wait, and how large the state may become. Immutable.
 *
 * @param maxStateEntries accounts and storage slots, beyond which no transaction is taken any more
 */
public record PoolBounds(int maxTransactions, long maxBytes, long maxStateEntries) {}
