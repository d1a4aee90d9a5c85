package io.weir.pipeline.cache;

import io.weir.access.BypassingCaller;
import io.weir.cache.CacheMeters.Lookup;
import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.CacheClass;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Shortcut;
import io.weir.pipeline.cache.admission.CacheAdmission;
import org.jspecify.annotations.Nullable;

/**
 * Answers a call whose parameters stand, byte for byte, before a kept result, or stood in a call that all of a final block answered.
 * What results are kept under is in normal form, and the normal form of that is itself: such parameters need no check, and they name
 * no block by a tag. Thread-safe.
 */
final class FastPath implements Shortcut.AtOnce {

    private final CacheClass rule;
    private final NetworkCache cache;

    /** Answers calls of one method. */
    FastPath(CacheClass rule, NetworkCache cache) {
        this.rule = rule;
        this.cache = cache;
    }

    @Override
    public @Nullable RpcReply answer(CallContext context) {
        RawJson params = context.call().params();
        if (params == null || context.caller() instanceof BypassingCaller) {
            return null;
        }
        CallKey key = new CallKey(cache.network(), context.call().method(), params);
        CachedResult result = find(key);
        if (result == null) {
            return null;
        }
        RpcReply reply = result.reply();
        boolean told = result.proven().isEmpty() || cache.keeper().isTold(result, rule == CacheClass.TRANSACTION);
        if (!told || !cache.hasRoom(reply)) {
            // What else there is to see to, the way through the stages does.
            return null;
        }
        cache.gatherer().countCall();
        cache.meters().count(rule.kind(), Lookup.HIT);
        context.trace().markHit(result.proven());
        return reply;
    }

    private @Nullable CachedResult find(CallKey key) {
        CachedResult result = cache.store().get(key);
        if (result != null) {
            return cache.standing(key, result, false) == CacheAdmission.Standing.HOLDS ? result : null;
        }
        CallKey kept = cache.aliases().of(key);
        CachedResult other = kept == null ? null : cache.store().get(kept);
        return other != null && CachedBlocks.isForGood(other) ? other : null;
    }
}
