package io.weir.chain;

/** Listener of reorganisations. It is called in the order in which they are found and must return at once. Thread-safe. */
@FunctionalInterface
public interface ReorgListener {

    /** Handles a reorganisation: blocks above the ancestor are no longer canonical. */
    void reorganised(Reorg reorg);
}
