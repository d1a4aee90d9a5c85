package io.weir.transport.http1;

import io.netty.handler.codec.TooLongFrameException;

/** A request whose head, trailers or chunk sizes exceed a bound. Its message repeats nothing of the request. */
public final class RequestHeadLimitException extends TooLongFrameException {

    private static final long serialVersionUID = 1;

    private final boolean overload;

    private RequestHeadLimitException(boolean overload, String message) {
        super(message);
        this.overload = overload;
    }

    /** One request exceeds a bound of its own. */
    static RequestHeadLimitException tooLarge(String message) {
        return new RequestHeadLimitException(false, message);
    }

    /** Too much is in flight, in all or from the address. */
    static RequestHeadLimitException overload() {
        return new RequestHeadLimitException(true, "overloaded");
    }

    /** Whether the request itself is within its bounds, and too much is in flight. */
    public boolean isOverload() {
        return overload;
    }

    /** Costs no stack: clients decide how often it is made. */
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
