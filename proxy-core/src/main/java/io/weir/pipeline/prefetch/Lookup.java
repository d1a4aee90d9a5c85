package io.weir.pipeline.prefetch;

import io.weir.cache.CallKey;
import io.weir.cache.block.BlockQuestion;
import io.weir.pipeline.CallContext;
import org.jspecify.annotations.Nullable;

/** A call about one block that memory does not answer. Confined to its event loop. */
public interface Lookup {

    /** The call on its way. */
    CallContext context();

    /** What it has in common with those of the same answer. */
    CallKey key();

    /** What it asks. */
    BlockQuestion question();

    /** The hash of the block that it is about, as far as memory knows; else null. */
    @Nullable
    String block();

    /** Whether a block with its transactions, or the receipts of one, are in memory. */
    boolean isKept(String block, boolean receipts);

    /** Whether its block could be kept, as far as is known. */
    boolean isWorthFetching();

    /**
     * Sends it to a node as it is.
     *
     * @param fetch what arrives with the answer, where it asks for just that; else null
     */
    void forward(@Nullable Fetch fetch);

    /** Asks a node for the block with its transactions instead, and answers from that as it comes. */
    void forwardWhole(Fetch fetch);

    /** Looks into the memory once more, and then sends it to a node as it is. */
    void lookAgain();
}
