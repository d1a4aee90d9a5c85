package io.weir.chain;

/**
 * Blocks that were part of the canonical chain are so no more. Immutable.
 *
 * @param from the number of the head before
 * @param to the number of the head now
 * @param ancestor the number of the highest block that is known to have stayed; -1 where none is, and everything may have changed
 */
public record Reorg(long from, long to, long ancestor) {}
