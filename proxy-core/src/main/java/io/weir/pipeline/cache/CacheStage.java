package io.weir.pipeline.cache;

import io.weir.access.BypassingCaller;
import io.weir.cache.CacheMeters.LookupOutcome;
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
 * The stage that answers calls of one method from memory, or has the stages behind it answer and stores their answers.
 * {@link CacheDecision} lists the steps. Thread-safe.
 */
final class CacheStage implements Stage {

    private final CacheClass rule;
    private final @Nullable BlockField field;
    private final CacheParts cache;
    private final Stage next;

    CacheStage(CacheClass rule, @Nullable BlockField field, CacheParts cache, Stage next) {
        this.rule = rule;
        this.field = field;
        this.cache = cache;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams params = context.checkedParams();
        if (context.caller() instanceof BypassingCaller) {
            context.trace().markBypassed();
            cache.meters().count(rule.kind(), LookupOutcome.BYPASS);
            next.handle(context, sink);
        } else if (params == null || params.block() instanceof BlockSelector.Tag) {
            context.trace().markMiss();
            cache.meters().count(rule.kind(), LookupOutcome.MISS);
            next.handle(context, sink);
        } else {
            new CacheExecution(cache, CacheCall.of(cache.network(), rule, field, context, params), next, sink).run();
        }
    }

    /** Sends a call of the proxy to a node; memory is not read, and the answer is not stored. */
    void forward(CallContext context, ReplySink sink) {
        next.handle(context, sink);
    }

    /** Sends the proxy's call for a whole block or receipts to a node; memory is not read. */
    void fetch(CallContext context, CheckedParams params, Fetch fetch) {
        CacheCall call = CacheCall.of(cache.network(), rule, field, context, params);
        new CacheExecution(cache, call, next, reply -> {}).forward(fetch);
    }
}
