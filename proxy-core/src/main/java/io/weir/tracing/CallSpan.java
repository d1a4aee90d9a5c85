package io.weir.tracing;

import org.jspecify.annotations.Nullable;

/** Span of one call. Confined to the call's event loop. */
public interface CallSpan {

    /** How the cache took part in the answer. */
    enum CacheOutcome {
        /** It had the answer. */
        HIT,
        /** A node was asked, because it had none. */
        MISS,
        /** An equal call was under way. */
        COALESCED,
        /** It was not asked. */
        NONE
    }

    /** Span of one attempt at a node. Confined to the call's event loop. */
    interface AttemptSpan {

        TraceHeaders headers();

        /**
         * Ends the span, the first time.
         *
         * @param fault the kind of failure; null if the node answered
         * @param errorCode the JSON-RPC code of the node's answer; 0 for a result
         */
        void end(@Nullable String fault, int errorCode);
    }

    /**
     * Begins the span of an attempt at a node.
     *
     * @param node the id of the node in the configuration
     * @param cause the reason for the attempt
     */
    AttemptSpan attempt(String node, String cause);

    /**
     * Ends the span.
     *
     * @param errorCode the JSON-RPC code of the answer; 0 for a result
     * @param failed whether the proxy could not answer as asked; false for errors that a node found in the call
     */
    void end(CacheOutcome cache, int errorCode, boolean failed);
}
