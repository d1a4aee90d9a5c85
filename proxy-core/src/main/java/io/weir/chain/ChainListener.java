package io.weir.chain;

import java.util.List;
import java.util.Map;

/**
 * Listener of changes of the canonical chain. It hears of them in their order, before anybody can read the new blocks, and
 * must return at once. Thread-safe.
 */
@FunctionalInterface
public interface ChainListener {

    /** Handles a reorganisation: blocks above the ancestor are no longer canonical. */
    void reorganised(Reorg reorg);

    /** Handles newer blocks above the known ones, newest first. */
    default void advanced(List<BlockLink> added) {}

    /** Handles blocks that are no longer followed because newer ones take their place: their hashes by number. */
    default void left(Map<Long, String> hashes) {}
}
