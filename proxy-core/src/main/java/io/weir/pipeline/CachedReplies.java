package io.weir.pipeline;

import io.weir.jsonrpc.RpcReply;
import org.jspecify.annotations.Nullable;

/** Source of replies to calls of one method that need no stage. Thread-safe. */
@FunctionalInterface
public interface CachedReplies {

    /** Returns the cached reply; null if the call must pass through the stages. Counts only the replies that it returns. */
    @Nullable
    RpcReply tryCached(CallContext context);
}
