package io.weir.jsonrpc;

/** The answer to a call, without its envelope, so that any id fits. Immutable. */
public sealed interface RpcReply permits RpcReply.Result, RpcReply.Failure {

    /** A result, as bytes that go out unchanged. */
    record Result(RawJson value) implements RpcReply {}

    /**
     * An error.
     *
     * @param kind what HTTP should say of it on a single call
     * @param retryAfterSeconds when to ask again, where the kind calls for it; else 0
     */
    record Failure(RpcError error, FailureKind kind, int retryAfterSeconds) implements RpcReply {}

    /** What an error means to HTTP, where a single call is answered with it. */
    enum FailureKind {
        /** A JSON-RPC answer like any other: 200. */
        ANSWER,
        /** Known key, not permitted: 403. */
        FORBIDDEN,
        /** The caller's rate, or every usable upstream's: 429. */
        RATE_LIMITED,
        /** No upstream could answer, or the proxy sheds load: 503. */
        UNAVAILABLE
    }

    /** A JSON-RPC error like any other. */
    static Failure failure(RpcError error) {
        return new Failure(error, FailureKind.ANSWER, 0);
    }

    /** No upstream could answer. */
    static Failure unavailable(String message) {
        return new Failure(ErrorCode.INTERNAL_ERROR.error(message), FailureKind.UNAVAILABLE, 1);
    }
}
