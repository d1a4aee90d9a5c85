package io.weir.pipeline.cache;

import io.weir.pipeline.cache.Fetch.BlockNames;
import org.jspecify.annotations.Nullable;

/**
 * The state of the block that a call is about, read once before the call is decided. Immutable.
 *
 * @param names of the block
 * @param part of the block that the call asks for
 * @param running a fetch under way that will bring it; null if there is none
 * @param coalesces whether a call for the whole block equals the call of that fetch, and no node has answered yet
 * @param repeated whether the block was asked for before, or is being fetched, or is stored
 * @param resting whether the last fetch of the block failed a short while ago
 * @param stored what memory holds of the block
 * @param blockFetching whether a fetch of the block itself is under way
 * @param storable whether the block could be stored, as far as is known
 * @param proofNeedsBlock whether receipts are stored only beside their block, which proves them
 * @param receiptsRefused whether a node said lately that it does not serve the receipts of whole blocks
 */
record BlockAccess(
        BlockNames names,
        Part part,
        @Nullable Fetch running,
        boolean coalesces,
        boolean repeated,
        boolean resting,
        Stored stored,
        boolean blockFetching,
        boolean storable,
        boolean proofNeedsBlock,
        boolean receiptsRefused) {

    /** A part of a block, as far as fetching it differs. */
    enum Part {
        /** The block with its transactions. */
        WHOLE_BLOCK(false),
        /** All receipts. */
        ALL_RECEIPTS(true),
        /** The hashes of a new block's transactions: other calls will soon ask for more of the block. */
        NEW_BLOCK(false),
        /** A smaller part of the block. */
        PART_OF_BLOCK(false),
        /** A smaller part of the receipts. */
        PART_OF_RECEIPTS(true),
        /** An uncle: the block does not hold it. */
        UNCLE(false);

        private final boolean receipts;

        Part(boolean receipts) {
            this.receipts = receipts;
        }

        /** Returns whether it is part of the receipts, not of the block. */
        boolean isOfReceipts() {
            return receipts;
        }

        /** Returns whether the answer to the call is the block, or all of its receipts. */
        boolean isWhole() {
            return this == WHOLE_BLOCK || this == ALL_RECEIPTS;
        }
    }

    /**
     * Whole results in memory. Immutable.
     *
     * @param block whether the block with its transactions is stored
     * @param receipts whether all receipts are stored
     */
    record Stored(boolean block, boolean receipts) {

        /** Neither. */
        static final Stored NOTHING = new Stored(false, false);
    }

    /** Returns whether the result that would contain the answer is stored; it does not answer the call. */
    boolean isStored() {
        return part.isOfReceipts() ? stored.receipts() : stored.block();
    }

    /** Returns whether receipts can be stored only once the block is fetched too. */
    boolean lacksBlock() {
        return part.isOfReceipts() && proofNeedsBlock && !blockFetching && !stored.block();
    }
}
