package io.weir.method.params;

/** Block that a call is about. Immutable. */
public sealed interface BlockSelector
        permits BlockSelector.None, BlockSelector.Tag, BlockSelector.Height, BlockSelector.Hash {

    /** No block, or none that the call names. */
    None NONE = new None();

    /** Selects no block. */
    record None() implements BlockSelector {}

    /** Selects a block by its role in the chain. */
    record Tag(BlockTag tag) implements BlockSelector {}

    /** Selects a block by its height. */
    record Height(long number) implements BlockSelector {}

    /**
     * Selects a block by its hash.
     *
     * @param hash {@code 0x} and 64 digits in lower case
     * @param requireCanonical whether the call must fail if the block is not part of the canonical chain
     */
    record Hash(String hash, boolean requireCanonical) implements BlockSelector {}
}
