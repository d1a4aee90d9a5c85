package io.weir.pipeline.cache;

import io.weir.pipeline.cache.CacheView.StoredAnswer;
import io.weir.pipeline.cache.BlockAccess.Part;
import org.jspecify.annotations.Nullable;

/** The next step of a call that memory may answer. Immutable. */
sealed interface CacheDecision {

    /** Answer from memory. */
    record Serve(StoredAnswer answer) implements CacheDecision {}

    /** A step that needs no further facts. */
    enum Step implements CacheDecision {
        /** Check the chain, then read memory again. */
        CHECK_CHAIN,
        /** Wait until the blocks that are being fetched have arrived, then read memory again. */
        AWAIT_ARRIVAL,
        /** Send the call to a node as it is. */
        FORWARD
    }

    /**
     * Send the call to a node. Its answer is a whole block, or all receipts: other calls may wait for it.
     *
     * @param running the client's fetch that the answer ends; null to open one
     * @param withBlock whether to fetch the block too, beyond the clients' calls, because only it proves the receipts
     */
    record ForwardAndCollect(BlockAccess access, @Nullable Fetch running, boolean withBlock) implements CacheDecision {}

    /** Send a call for the block with its transactions instead, and cut the answer out of the block. */
    record ForwardWhole(BlockAccess access) implements CacheDecision {}

    /**
     * Fetch the whole block, or all receipts, and wait for it.
     *
     * @param withBlock whether to fetch the block too, because only it proves the receipts
     */
    record FetchBlock(BlockAccess access, boolean withBlock) implements CacheDecision {}

    /** Wait for a fetch that is under way. */
    record WaitFor(Fetch fetch) implements CacheDecision {}

    /** Decides a call. Pure: the same view always gives the same decision. */
    static CacheDecision of(CacheView view) {
        if (view.answer() != null) {
            return new Serve(view.answer());
        }
        if (view.unsure()) {
            return Step.CHECK_CHAIN;
        }
        if (view.arriving()) {
            return Step.AWAIT_ARRIVAL;
        }
        BlockAccess block = view.block();
        if (block == null) {
            return Step.FORWARD;
        }
        return block.running() == null ? ofBlock(block) : ofRunning(block, block.running());
    }

    /** A call that equals that of the fetch is sent too: the two coalesce, and its answer need not be stored first. */
    private static CacheDecision ofRunning(BlockAccess block, Fetch running) {
        if (block.part() == Part.UNCLE) {
            // The proof of the block may wait for the same call.
            return Step.FORWARD;
        }
        boolean sent = block.part().isWhole() && block.coalesces();
        return sent ? new ForwardAndCollect(block, running, false) : new WaitFor(running);
    }

    private static CacheDecision ofBlock(BlockAccess block) {
        if (block.isStored()) {
            // The stored block does not answer this call, and would not if it came again.
            return Step.FORWARD;
        }
        boolean again = block.repeated() && !block.resting();
        if (block.part().isWhole()) {
            return new ForwardAndCollect(block, null, again && block.lacksBlock());
        }
        if (block.part() == Part.NEW_BLOCK && !block.resting()) {
            return new ForwardWhole(block);
        }
        boolean served = block.part() != Part.UNCLE && block.storable();
        boolean refused = block.part().isOfReceipts() && block.receiptsRefused();
        return again && served && !refused ? new FetchBlock(block, block.lacksBlock()) : Step.FORWARD;
    }
}
