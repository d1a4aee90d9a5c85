package io.weir.pipeline.cache;

import io.weir.access.BypassingCaller;
import io.weir.access.Caller;
import io.weir.cache.CacheMeters.Lookup;
import io.weir.method.BlockField;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.prefetch.Fetch;
import org.jspecify.annotations.Nullable;

/**
 * Answers a call from memory, at once, where the answer is there and holds; else has what is behind it answer, and the answer
 * kept where that is right. Where it is not sure that a kept answer holds, the chain is looked at first. Thread-safe.
 */
final class CacheStage implements Stage {

    private final CacheClass rule;
    private final @Nullable BlockField field;
    private final NetworkCache cache;
    private final Stage next;

    /** Makes the stage of one method. */
    CacheStage(CacheClass rule, @Nullable BlockField field, NetworkCache cache, Stage next) {
        this.rule = rule;
        this.field = field;
        this.cache = cache;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams params = context.checkedParams();
        if (!context.caller().equals(Caller.PROXY)) {
            cache.gatherer().countCall();
        }
        if (context.caller() instanceof BypassingCaller) {
            context.trace().markBypassed();
            cache.meters().count(rule.kind(), Lookup.BYPASS);
            next.handle(context, sink);
        } else if (params == null || params.block() instanceof BlockSelector.Tag) {
            context.trace().markMiss();
            cache.meters().count(rule.kind(), Lookup.MISS);
            next.handle(context, sink);
        } else {
            new CacheLookup(cache, rule, field, context, params, next, sink).look(false, true);
        }
    }

    /** Sends a call of the proxy's own to a node, past the memory. */
    void ask(CallContext context, ReplySink sink) {
        next.handle(context, sink);
    }

    /** Sends a call of the proxy's own, for a whole block or receipts, to a node. */
    void fetch(CallContext context, CheckedParams params, Fetch fetch) {
        new CacheLookup(cache, rule, field, context, params, next, reply -> {}).forward(fetch);
    }
}
