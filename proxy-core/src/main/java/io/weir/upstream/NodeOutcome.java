package io.weir.upstream;

import io.weir.jsonrpc.RpcReply;

/** How an attempt at a node ended. Immutable. */
public sealed interface NodeOutcome permits NodeOutcome.Answered, NodeOutcome.Failed {

    /** The node answered: a result, or an error of its own. */
    record Answered(RpcReply reply) implements NodeOutcome {}

    /**
     * The node gave no usable answer.
     *
     * @param executed whether the node may have carried the call out
     * @param detail for logs: what was seen; names no address, credential or header
     * @param retryAfterSeconds what a rate limited node asked for; else 0
     */
    record Failed(Fault fault, Executed executed, String detail, int retryAfterSeconds) implements NodeOutcome {}

    /** Whether a node may have carried a call out. */
    enum Executed {
        /** It cannot have: the request did not leave, or was refused whole. */
        NO,
        /** It may have. */
        MAYBE
    }

    /** What went wrong. */
    enum Fault {
        /** No connection could be made. */
        CONNECT,
        /** The connection broke before the answer was whole. */
        DISCONNECTED,
        /**
         * A connection that carried calls before broke before an answer began: the node may have closed it while it was
         * unused, so that this says nothing of the node.
         */
        STALE_CONNECTION,
        /** No answer in time. */
        TIMEOUT,
        /** HTTP 429 or 402. */
        RATE_LIMITED,
        /** HTTP 401 or 403. */
        CREDENTIALS,
        /** HTTP 5xx. */
        SERVER_ERROR,
        /** Another status, a coding that was not asked for, or no JSON-RPC answer to this call. */
        BAD_ANSWER,
        /** The answer is larger than allowed. */
        TOO_LARGE,
        /** Too many calls were waiting for a connection. */
        OVERLOADED,
        /** The client was closed. */
        CLOSED,
        /** The proxy itself failed, as where its memory is used up. */
        INTERNAL
    }
}
