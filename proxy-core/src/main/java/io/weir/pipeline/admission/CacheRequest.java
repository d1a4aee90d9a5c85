package io.weir.pipeline.admission;

import io.weir.answer.Judge;
import io.weir.cache.AnswerFacts;
import io.weir.cache.CallKey;
import io.weir.cache.memory.ResultStore;
import io.weir.chain.Finality;
import io.weir.chain.HeadMoment;
import io.weir.chain.HeadTracker;
import io.weir.chain.Slot;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.watch.NetworkChain;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A call that was sent to a node or a tier, and the state of the network at that time. Immutable.
 *
 * @param begun a moment before the call was sent: shows later events
 * @param beganNanos the time of that
 * @param finalBefore the highest block that was known to be final before that moment; -1 if none was
 * @param slot the block at the height that the call names, if the chain view was fresh; else null
 * @param purges of the store, before the call was sent
 * @param settled gets once, on any thread, whether the answer was stored, if one comes
 */
public record CacheRequest(
        CallKey key,
        CacheClass rule,
        CallContext context,
        CheckedParams params,
        HeadMoment begun,
        long beganNanos,
        long finalBefore,
        @Nullable Slot slot,
        long purges,
        Consumer<Boolean> settled) {

    /** Returns whether the call names the block's hash, so that the answer can only be about that block. */
    public boolean namesHash() {
        return params.block() instanceof BlockSelector.Hash;
    }

    /** Returns whether a block was known to be final before the call was sent. */
    boolean wasFinal(Finality finalized, long number) {
        return number <= finalBefore || finalized.coveredBefore(begun, number);
    }

    /** Returns whether an answer that names its block may be an answer to this call. */
    public boolean isAnsweredBy(AnswerFacts facts) {
        if (params.block() instanceof BlockSelector.Height height) {
            return facts.number() == height.number() && isAtIndex(facts);
        }
        if (params.block() instanceof BlockSelector.Hash hash) {
            return facts.hash().equals(hash.hash()) && isAtIndex(facts);
        }
        String looked = params.lookupHash();
        return looked == null ? rule == CacheClass.BY_STATUS : looked.equals(facts.transactionHash());
    }

    private boolean isAtIndex(AnswerFacts facts) {
        if (rule != CacheClass.TRANSACTION) {
            return true;
        }
        return facts.index() >= 0 && index() == facts.index();
    }

    /** Returns the index that the call names beside its block; -1 if it names none. */
    long index() {
        return Judge.index(params);
    }

    /** Returns the hash that the answer must have; null if that is not known. */
    public @Nullable String provenHash(@Nullable AnswerFacts facts) {
        if (facts == null) {
            return null;
        }
        return rule == CacheClass.TRANSACTION ? facts.transactionHash() : facts.hash();
    }

    /**
     * Notes the state of the network when a call is sent, to judge the answer by it. Immutable; its members are thread-safe.
     *
     * @param space the name of the network's results in the store
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public record CacheRequests(
            String space, NetworkChain chain, ResultStore store, HeadTracker head, LongSupplier clock) {

        /** Returns the request of a call that is about to go to a node. */
        public CacheRequest toNode(
                CallKey key, CacheClass rule, CallContext context, CheckedParams params, Consumer<Boolean> settled) {
            return request(key, rule, context, params, slotOf(key, context, rule, params.block()), settled);
        }

        /** Returns the request of a call that is about to go to a tier behind memory. */
        public CacheRequest toTier(CallKey key, CacheClass rule, CallContext context, CheckedParams params) {
            return request(key, rule, context, params, null, stored -> {});
        }

        private CacheRequest request(
                CallKey key,
                CacheClass rule,
                CallContext context,
                CheckedParams params,
                @Nullable Slot slot,
                Consumer<Boolean> settled) {
            long finalBefore = chain.finalized().number();
            return new CacheRequest(
                    key,
                    rule,
                    context,
                    params,
                    head.now(),
                    clock.getAsLong(),
                    finalBefore,
                    slot,
                    store.purges(),
                    settled);
        }

        /** Returns the call's block if the answer will not name it and the chain view is fresh; else null. */
        private @Nullable Slot slotOf(CallKey key, CallContext context, CacheClass rule, BlockSelector selector) {
            if (rule.namesBlock()
                    || rule == CacheClass.FINAL_VALUE
                    || !(selector instanceof BlockSelector.Height height)
                    || chain.finalized().covers(height.number())) {
                return null;
            }
            if (chain.watch().isFresh()) {
                Slot slot = chain.view().at(height.number());
                if (slot == null) {
                    // The block is known in time for the next call.
                    chain.watch().whenReached(key, context.loop(), height.number(), known -> {});
                }
                return slot;
            }
            // This check ends too late for this call, and in time for the next.
            chain.watch().whenPlaceable(context.loop(), context.deadlineNanos(), known -> {});
            return null;
        }
    }
}
