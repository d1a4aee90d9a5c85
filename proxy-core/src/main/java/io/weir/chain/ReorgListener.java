package io.weir.chain;

/** Hears of reorganisations, in the order in which they are found; returns at once. Thread-safe. */
@FunctionalInterface
public interface ReorgListener {

    /** Blocks above the ancestor are canonical no more. */
    void reorganised(Reorg reorg);
}
