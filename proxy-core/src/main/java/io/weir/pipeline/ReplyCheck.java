package io.weir.pipeline;

import io.weir.jsonrpc.RawJson;
import io.weir.upstream.NodeOutcome;
import java.util.function.Consumer;

/** Looks at a node's result before it counts: one that fails is as a failed attempt. Thread-safe. */
@FunctionalInterface
public interface ReplyCheck {

    /**
     * Looks at a result that is not {@code null}.
     *
     * @param context of the call; called on its event loop
     * @param upstreamId the node's that answered
     * @param sink gets once, on that loop, what the outcome is: the result as it came or as the client is to get it, or a failed
     *     attempt; what comes after the call's deadline is dropped
     */
    void check(CallContext context, String upstreamId, RawJson result, Consumer<NodeOutcome> sink);
}
