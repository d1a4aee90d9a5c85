package io.weir.chain;

import java.util.List;

/**
 * Reorganisation: blocks that are no longer part of the canonical chain. Immutable.
 *
 * @param from the number of the head before
 * @param to the number of the head now
 * @param ancestor the number of the highest block that is known to have stayed; -1 if there is none, and everything may have
 *     changed
 * @param replaced the number of the lowest block that is known to be replaced. Nothing is known of those between it and the
 *     ancestor.
 * @param dropped the known blocks that were replaced, newest first
 * @param added the known blocks in their place, newest first; they need not reach down to the ancestor
 */
public record Reorg(long from, long to, long ancestor, long replaced, List<BlockLink> dropped, List<BlockLink> added) {

    /** Returns whether a block was replaced, or nothing is known of it. */
    public boolean mayReplace(long number) {
        return number >= (ancestor < 0 ? 0 : replaced);
    }
}
