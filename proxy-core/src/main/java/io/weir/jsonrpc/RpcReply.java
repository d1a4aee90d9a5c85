package io.weir.jsonrpc;

/** The answer to a call, without its envelope, so that any id fits. Immutable, except for a result that streams. */
public sealed interface RpcReply permits RpcReply.Result, RpcReply.Streamed, RpcReply.Failure {

    /** A result, as bytes that are sent unchanged. */
    record Result(RawJson value) implements RpcReply {}

    /** A large result that goes on to the client while it arrives. Confined to the event loop of its call. */
    non-sealed interface Streamed extends RpcReply {}

    /**
     * An error.
     *
     * @param kind the HTTP status class for a single call
     * @param retryAfterSeconds seconds after which to retry, if the kind calls for it; else 0
     */
    record Failure(RpcError error, FailureKind kind, int retryAfterSeconds) implements RpcReply {}

    /** The error for a call of which a step failed. */
    Failure INTERNAL = unavailable("internal error");

    /** The error for a call for whose answer there is no room. */
    Failure NO_ROOM = unavailable("overloaded: no room for the answer");

    /** The error for a call whose client is gone: nobody reads it. */
    Failure CLIENT_GONE = unavailable("the client is gone");

    /** The meaning of an error for HTTP, if it answers a single call. */
    enum FailureKind {
        /** An ordinary JSON-RPC answer: 200. */
        ANSWER,
        /** The key is known, but not permitted: 403. */
        FORBIDDEN,
        /** The caller, or every usable upstream, exceeds its rate: 429. */
        RATE_LIMITED,
        /** No upstream could answer, or the proxy sheds load: 503. */
        UNAVAILABLE
    }

    static Failure failure(RpcError error) {
        return new Failure(error, FailureKind.ANSWER, 0);
    }

    /** Returns the error for calls that no upstream could answer. */
    static Failure unavailable(String message) {
        return new Failure(ErrorCode.INTERNAL_ERROR.error(message), FailureKind.UNAVAILABLE, 1);
    }
}
