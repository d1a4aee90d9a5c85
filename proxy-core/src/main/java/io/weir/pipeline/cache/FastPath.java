package io.weir.pipeline.cache;

import com.codahale.metrics.Counter;
import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.CacheClass;
import io.weir.pipeline.CacheStages.CachedReplies;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.range.LogRanges;
import io.weir.verify.Verification.Part;
import org.jspecify.annotations.Nullable;

/**
 * The fast path of one method: answers a call whose raw parameters equal the key of a stored result, or an alias of one. Keys use
 * normalised parameters: parameters that equal a key need no validation, and name no block by a tag. Thread-safe.
 */
final class FastPath implements CachedReplies {

    /** Characters of a hash in hexadecimal digits. Only parameters that hold one are longer. */
    private static final int HASH_LENGTH = 66;

    private final boolean aliased;
    private final boolean ofBlock;
    private final boolean ofLogs;
    private final NetworkMemory memory;
    private final LogRanges ranges;
    private final Counter hits;

    /** Answers calls of one method. */
    FastPath(CacheClass rule, NetworkMemory memory, LogRanges ranges) {
        this.aliased = rule.isStoredByBlock();
        this.ofBlock = aliased || rule == CacheClass.HEADER || rule == CacheClass.UNCLE;
        this.ofLogs = rule == CacheClass.LOGS;
        this.memory = memory;
        this.ranges = ranges;
        this.hits = memory.counter(rule, true);
    }

    @Override
    public @Nullable RpcReply tryCached(CallContext context) {
        RawJson params = context.call().params();
        if (params == null
                || context.caller().bypassesCache()
                || context.caller().requiresState()) {
            return null;
        }
        CallKey key = context.key(memory.network(), params);
        CachedResult result = memory.readExact(key, aliased);
        if (result == null) {
            return null;
        }
        String proven = memory.canonical().shown(result, ofBlock && params.length() > HASH_LENGTH);
        boolean shown = result.proven().isEmpty() || !proven.isEmpty();
        boolean unproven = ofLogs && !Part.isOfAllLogs(proven) && ranges.areProofsRequired(context);
        if (!shown || unproven || !memory.shared().hasRoom(result.reply())) {
            // The stages decide.
            return null;
        }
        return memory.hit(context, hits, result.reply(), true, proven);
    }
}
