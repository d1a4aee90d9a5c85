package io.weir.pipeline.cache;

import io.weir.access.BypassingCaller;
import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.CacheClass;
import io.weir.pipeline.CachedReplies;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.cache.admission.CacheAdmission;
import org.jspecify.annotations.Nullable;

/**
 * Fast path of one method: serves a call whose raw parameters equal the key of a stored result. It also serves a call whose
 * parameters were answered before with a whole final block. Keys hold normalised parameters, which need no check and name no block
 * by a tag. Thread-safe.
 */
final class FastPath implements CachedReplies {

    private final CacheClass rule;
    private final NetworkCache cache;

    /** Makes the fast path of one method. */
    FastPath(CacheClass rule, NetworkCache cache) {
        this.rule = rule;
        this.cache = cache;
    }

    @Override
    public @Nullable RpcReply tryCached(CallContext context) {
        RawJson params = context.call().params();
        if (params == null || context.caller() instanceof BypassingCaller) {
            return null;
        }
        CallKey key = new CallKey(cache.network(), context.call().method(), params);
        CachedResult result = find(key);
        if (result == null) {
            return null;
        }
        boolean told = result.proven().isEmpty() || cache.keeper().isTold(result, rule == CacheClass.TRANSACTION);
        if (!told) {
            return null;
        }
        cache.gatherer().countCall();
        return cache.serve(context, rule, result.reply(), true, result.proven());
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
