package io.weir.pipeline.cache;

import io.weir.access.BypassingCaller;
import io.weir.cache.CacheMeters;
import io.weir.cache.CacheMeters.Lookup;
import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.cache.KeepRule;
import io.weir.cache.ResultStore;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;

/**
 * Answers a call from memory, at once, where the answer is there and holds; else has what is behind it answer, and the answer
 * kept where that is right. Where it is not sure that a kept answer holds, the chain is looked at first. Thread-safe.
 */
final class CacheStage implements Stage {

    private final KeepRule rule;
    private final NetworkCache cache;
    private final Stage next;

    /** Makes the stage of one method. */
    CacheStage(KeepRule rule, NetworkCache cache, Stage next) {
        this.rule = rule;
        this.cache = cache;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams params = context.checkedParams();
        RawJson json = context.call().params();
        if (context.caller() instanceof BypassingCaller) {
            context.trace().markBypassed();
            meters().count(rule.kind(), Lookup.BYPASS);
            next.handle(context, sink);
        } else if (params == null || json == null || params.block() instanceof BlockSelector.Tag) {
            context.trace().markMiss();
            meters().count(rule.kind(), Lookup.MISS);
            next.handle(context, sink);
        } else {
            look(context, params, new CallKey(cache.network(), context.call().method(), json), false, sink);
        }
    }

    /** @param checked whether the chain was looked at for this call, as well as that could be done */
    private void look(CallContext context, CheckedParams params, CallKey key, boolean checked, ReplySink sink) {
        CachedResult result = store().get(key);
        if (result == null) {
            miss(context, params, key, sink);
            return;
        }
        switch (cache.keeper().standing(result, checked)) {
            case HOLDS -> {
                RpcReply reply = new RpcReply.Result(result.value());
                meters().count(rule.kind(), Lookup.HIT);
                if (cache.hasRoom(reply)) {
                    context.trace().markHit(result.proven());
                    sink.accept(reply);
                } else {
                    sink.accept(CoalesceStage.NO_ROOM);
                }
            }
            case FALLEN -> {
                store().remove(key, result);
                miss(context, params, key, sink);
            }
            default ->
                cache.chain().watch().whenFresh(context.loop(), context.deadlineNanos(), known -> {
                    if (known) {
                        look(context, params, key, true, sink);
                    } else {
                        miss(context, params, key, sink);
                    }
                });
        }
    }

    private void miss(CallContext context, CheckedParams params, CallKey key, ReplySink sink) {
        context.trace().markMiss();
        meters().count(rule.kind(), Lookup.MISS);
        Question question = cache.question(key, rule, context, params);
        next.handle(context, reply -> {
            sink.accept(reply);
            String upstream = context.trace().upstreamId();
            if (reply instanceof RpcReply.Result result
                    && upstream != null
                    && !context.trace().collapsed()) {
                cache.keeper().take(question, result.value(), upstream);
            }
        });
    }

    private ResultStore store() {
        return cache.store();
    }

    private CacheMeters meters() {
        return cache.meters();
    }
}
