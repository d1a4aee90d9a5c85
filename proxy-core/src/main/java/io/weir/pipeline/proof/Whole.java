package io.weir.pipeline.proof;

import io.weir.ethereum.block.Receipt;
import io.weir.jsonrpc.RawJson;
import io.weir.pipeline.CallContext;
import io.weir.verify.ProvenBlock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A block that is proven with its transactions, and what else was proven with it. Immutable.
 *
 * @param json as the node sent it, with full transactions
 * @param uncles as the node sent them; empty where they were not asked for
 * @param receipts of all transactions; null where they were not asked for
 * @param upstreamId whose answer it was
 * @param listed whether the block and its uncles hold only members that are listed for the chain
 * @param begun what {@link Sink#begin} said before it was asked for
 */
public record Whole(
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
     * @param listed whether they hold only members that are listed for the chain
     */
    public record ProvenReceipts(RawJson json, List<Receipt> receipts, boolean listed) {}

    Whole with(ProvenReceipts found) {
        return new Whole(json, block, uncles, found, upstreamId, listed, begun);
    }

    /** The block's hash as JSON-RPC shows it. */
    public String hash() {
        return block.hash().hex();
    }

    /** Whether all that it says is proven, its uncles among the rest, and nothing stands beside that. */
    public boolean isComplete() {
        return listed && (block.whole() || !uncles.isEmpty());
    }

    /** The block's number. */
    long number() {
        return block.header().number();
    }

    /** Takes blocks and receipts that were asked for to prove answers, so that they answer what is asked next. Thread-safe. */
    public interface Sink {

        /** Called before a node is asked: what it answers may be outdated by what happens from now on. */
        long begin();

        /**
         * Takes a block that was proven, and whose place is certain or does not matter.
         *
         * @param context of the call that it was asked for; called on its event loop
         */
        void take(CallContext context, Whole whole);
    }
}
