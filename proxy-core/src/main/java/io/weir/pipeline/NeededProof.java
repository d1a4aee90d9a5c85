package io.weir.pipeline;

import io.weir.ethereum.Hash32;
import io.weir.jsonrpc.RawJson;
import io.weir.verify.ProvenBlock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The proof that a result of a node needs before it counts, and what was proven of the one that did. Confined to the call's event loop.
 */
public final class NeededProof {

    private final Extent extent;
    private final @Nullable Hash32 hash;
    private @Nullable ProvenBlock block;
    private List<RawJson> uncles = List.of();

    private enum Extent {
        /** The parts that the result's own hashes cover. */
        HASHES,
        /** All but the uncles of a block. */
        ALL_BUT_UNCLES,
        /** All, by evidence of further calls where its own hashes do not prove it, and the place of its block. */
        ALL
    }

    private NeededProof(Extent extent, @Nullable Hash32 hash) {
        this.extent = extent;
        this.hash = hash;
    }

    /** Returns the proof of all that can be proven, the place of the block included. */
    public static NeededProof ofAll() {
        return new NeededProof(Extent.ALL, null);
    }

    /** Returns the same for a block whose uncles do not matter. With uncles it is for this call only. */
    public static NeededProof withoutUncles() {
        return new NeededProof(Extent.ALL_BUT_UNCLES, null);
    }

    /**
     * Returns the proof of all receipts of a block.
     *
     * @param block with its transactions; null if it must be fetched
     */
    public static NeededProof ofReceipts(@Nullable ProvenBlock block) {
        NeededProof proof = ofAll();
        proof.block = block;
        return proof;
    }

    /**
     * Returns the proof of what the result's own hashes cover.
     *
     * @param hash of the result; null if any will do
     */
    public static NeededProof ofHashes(@Nullable Hash32 hash) {
        return new NeededProof(Extent.HASHES, hash);
    }

    /** Returns whether more is needed than the result's own hashes cover. */
    public boolean isOfAll() {
        return extent != Extent.HASHES;
    }

    /** Returns whether the list of a block's uncles must be proven. */
    public boolean isOfUncles() {
        return extent == Extent.ALL;
    }

    /** Returns the hash that the result must have; null if any will do. */
    public @Nullable Hash32 hash() {
        return hash;
    }

    /**
     * Notes a block that is proven.
     *
     * @param fetched its uncles as a node sent them; empty if they were not fetched
     */
    public void proved(ProvenBlock proven, List<RawJson> fetched) {
        block = proven;
        uncles = List.copyOf(fetched);
    }

    /** Returns the block that is proven; null as long as none is, and if the result came from memory or by an equal call. */
    public @Nullable ProvenBlock block() {
        return block;
    }

    /** Returns the uncles of that block, in order; empty if they were not fetched. */
    public List<RawJson> uncles() {
        return uncles;
    }
}
