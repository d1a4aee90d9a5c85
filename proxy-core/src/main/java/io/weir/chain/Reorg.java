package io.weir.chain;

/**
 * Reorganisation: blocks that are no longer part of the canonical chain. Immutable.
 *
 * @param from the number of the head before
 * @param to the number of the head now
 * @param ancestor the number of the highest block that is known to have stayed; -1 if there is none, and everything may have
 *     changed
 */
public record Reorg(long from, long to, long ancestor) {}
