package io.weir.transport.http1;

import io.netty.handler.codec.TooLongFrameException;

/**
 * Signals a request whose head, trailers or chunk sizes exceed a bound. Its message contains no part of the request.
 * Immutable.
 */
public final class RequestHeadLimitException extends TooLongFrameException {

    private static final long serialVersionUID = 1;

    private final boolean overload;

    private RequestHeadLimitException(boolean overload, String message) {
        super(message);
        this.overload = overload;
    }

    /** Returns the exception for a request that exceeds a bound of its own. */
    static RequestHeadLimitException tooLarge(String message) {
        return new RequestHeadLimitException(false, message);
    }

    /** Returns the exception for too much in flight, in total or from the address. */
    static RequestHeadLimitException overload() {
        return new RequestHeadLimitException(true, "overloaded");
    }

    /** Returns whether too much is in flight, while the request itself is within its bounds. */
    public boolean isOverload() {
        return overload;
    }

    /** Has no stack trace, because clients control how often it is thrown. */
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
