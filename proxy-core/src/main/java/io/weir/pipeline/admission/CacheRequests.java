package io.weir.pipeline.admission;

import io.weir.cache.CallKey;
import io.weir.cache.memory.ResultStore;
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
 * Notes the state of the network when a call is sent, to judge the answer by it. Immutable; its members are thread-safe.
 *
 * @param space the name of the network's results in the store
 * @param clock nanoseconds, as {@link System#nanoTime}
 */
public record CacheRequests(String space, NetworkChain chain, ResultStore store, HeadTracker head, LongSupplier clock) {

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
                key, rule, context, params, head.now(), clock.getAsLong(), finalBefore, slot, store.purges(), settled);
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
