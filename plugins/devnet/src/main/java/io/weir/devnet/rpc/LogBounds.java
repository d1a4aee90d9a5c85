package io.weir.devnet.rpc;

/** How many blocks one call for logs may look at, and how many logs it may find. Immutable. */
public record LogBounds(long maxBlocks, int maxLogs) {}
