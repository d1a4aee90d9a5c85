package io.weir.pipeline.evidence;

import io.weir.jsonrpc.RawJson;
import io.weir.pipeline.CallContext;
import io.weir.verify.ChainReceipt;
import io.weir.verify.ProvenBlock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Block that was fetched to prove answers. It is proven with its transactions. Immutable.
 *
 * @param json as the node sent it, with full transactions
 * @param uncles as the node sent them; empty if they were not fetched
 * @param receipts of all transactions; null if they were not fetched
 * @param upstreamId the upstream that sent the block
 * @param listed whether the block and its uncles have only members that are listed for the chain
 * @param begun value of {@link Sink#begin} before it was fetched
 */
public record FetchedBlock(
        RawJson json,
        ProvenBlock block,
        List<RawJson> uncles,
        @Nullable ProvenReceipts receipts,
        String upstreamId,
        boolean listed,
        long begun) {

    /**
     * A block's receipts.
     *
     * @param json as a node sent them
     * @param listed whether they have only members that are listed for the chain
     */
    public record ProvenReceipts(RawJson json, List<ChainReceipt> receipts, boolean listed) {}

    FetchedBlock with(ProvenReceipts found) {
        return new FetchedBlock(json, block, uncles, found, upstreamId, listed, begun);
    }

    /** Returns the block's hash as JSON-RPC shows it. */
    public String hash() {
        return block.hash().hex();
    }

    /** Returns whether all of it is proven, its uncles included, and all its members are listed. */
    public boolean isComplete() {
        return listed && (block.whole() || !uncles.isEmpty());
    }

    /** Returns the block's number. */
    public long number() {
        return block.header().number();
    }

    /** Returns this block as one that its upstream names as the canonical one at its height. */
    public ClaimedBlock claim() {
        return new ClaimedBlock(number(), hash(), upstreamId);
    }

    /** Stores blocks and receipts that were fetched to prove answers, so that they answer later calls. Thread-safe. */
    public interface Sink {

        /** Returns a stamp to take before a node is asked: later events may make the node's answer stale. */
        long begin();

        /**
         * Takes a proven block whose place in the chain is certain or does not matter.
         *
         * @param context of the call that it was fetched for; called on its event loop
         */
        void take(CallContext context, FetchedBlock fetched);
    }
}
