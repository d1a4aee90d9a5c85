package io.weir.chain;

/**
 * Listener of changes of the canonical chain. It hears of them in their order, before anybody can read the new blocks, and
 * must return at once. Thread-safe.
 */
@FunctionalInterface
public interface ChainListener {

    /** Handles a reorganisation: blocks above the ancestor are no longer canonical. */
    void reorganised(Reorg reorg);

    /** Handles that the known blocks up to a height are final. A height may be told more than once. */
    default void finalized(CanonicalLinks links, long number) {}
}
