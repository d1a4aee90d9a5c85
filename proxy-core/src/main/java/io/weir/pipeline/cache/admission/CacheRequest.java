package io.weir.pipeline.cache.admission;

import io.weir.cache.AnswerFacts;
import io.weir.cache.CallKey;
import io.weir.chain.ChainView.Slot;
import io.weir.chain.HeadRound;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.kind.HexText;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.tier.Asked;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call that a node was asked, and what was known when it was. Immutable.
 *
 * @param round begun before the node was asked: tells what happened since
 * @param beganNanos when that was
 * @param slot the block that the call is about by its number, where the view was fresh; else null
 * @param purges of the store, before the node was asked
 * @param settled gets once, on any thread, whether the answer is kept, where one comes
 */
public record CacheRequest(
        CallKey key,
        CacheClass rule,
        CallContext context,
        CheckedParams params,
        HeadRound round,
        long beganNanos,
        @Nullable Slot slot,
        long purges,
        Consumer<Boolean> settled)
        implements Asked {

    /** Whether it names the block's hash, so that the answer can only be about that one. */
    @Override
    public boolean namesHash() {
        return params.block() instanceof BlockSelector.Hash;
    }

    /** Whether it holds only while the block that it names is canonical. */
    boolean requiresCanonical() {
        return params.block() instanceof BlockSelector.Hash hash && hash.requireCanonical();
    }

    /** Whether an answer that names its block is one to this question. */
    @Override
    public boolean isAnsweredBy(AnswerFacts facts) {
        if (params.block() instanceof BlockSelector.Height height) {
            return facts.number() == height.number() && isAtIndex(facts);
        }
        if (params.block() instanceof BlockSelector.Hash hash) {
            return facts.hash().equals(hash.hash()) && isAtIndex(facts);
        }
        String looked = params.lookupHash();
        return looked != null && looked.equals(facts.transactionHash());
    }

    private boolean isAtIndex(AnswerFacts facts) {
        if (rule != CacheClass.TRANSACTION) {
            return true;
        }
        return facts.index() >= 0 && index() == facts.index();
    }

    /** The index that the call names beside its block; -1 where it names none. */
    long index() {
        HexText index =
                params.values().size() < 2 ? null : HexText.read(params.values().get(1));
        return index == null ? -1 : index.toLong();
    }

    /** The hash of what was asked for, where the answer must have it; else null. */
    @Override
    public @Nullable String provenHash(@Nullable AnswerFacts facts) {
        if (facts == null) {
            return null;
        }
        return rule == CacheClass.TRANSACTION ? facts.transactionHash() : facts.hash();
    }
}
