package io.weir.pipeline.cache;

import io.weir.cache.CallKey;
import io.weir.cache.ResultLayout.Slice;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.cache.BlockAccess.Part;
import io.weir.pipeline.cache.CacheDecision.CacheView.StoredAnswer;
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

    /**
     * The facts that decide a call, read once. Immutable.
     *
     * @param answer from memory; null if memory has none, or none that is known to be valid
     * @param unsure whether memory may have an answer, which is valid or not as the chain now stands
     * @param block the state of the block that the call is about; null unless memory has no answer and a fetch of the block could bring it
     * @param arriving whether the call looks up a transaction of an unknown block, which may be among those that are being fetched
     */
    record CacheView(
            @Nullable StoredAnswer answer,
            boolean unsure,
            @Nullable BlockAccess block,
            boolean arriving) {

        static final CacheView NOTHING = new CacheView(null, false, null, false);
        static final CacheView ARRIVING = new CacheView(null, false, null, true);
        static final CacheView UNSURE = new CacheView(null, true, null, false);

        /**
         * An answer from memory. Immutable.
         *
         * @param slice its value, whether it is a whole stored result, and what was proven of it
         * @param finalKey the key of a final block's result that is the answer; null if the answer is something else
         */
        record StoredAnswer(
                RpcReply reply, Slice slice, @Nullable CallKey finalKey) {}

        /** Returns whether memory holds nothing that matters for the call, which then goes to a node as it is. */
        boolean isNothing() {
            return answer == null && !unsure && block == null && !arriving;
        }

        static CacheView of(RpcReply reply, Slice slice, @Nullable CallKey finalKey) {
            return new CacheView(new StoredAnswer(reply, slice, finalKey), false, null, false);
        }
    }
}
