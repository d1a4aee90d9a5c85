package io.weir.tracing;

import org.jspecify.annotations.Nullable;

/** Span of one attempt at a node. Confined to the call's event loop. */
public interface AttemptSpan {

    TraceHeaders headers();

    /**
     * Ends the span, the first time.
     *
     * @param fault the kind of failure; null if the node answered
     * @param errorCode the JSON-RPC code of the node's answer; 0 for a result
     */
    void end(@Nullable String fault, int errorCode);
}
