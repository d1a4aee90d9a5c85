package io.weir.wallet.chain;

/** Blocks of a chain, the lowest and the highest included. Immutable. */
public record BlockRange(long lowest, long highest) {}
