package io.weir.transport.http1;

import io.netty.handler.codec.DecoderException;

/** Signals a request that is not read to its end. Its message contains no part of the request. Immutable. */
public final class RequestHeadException extends DecoderException {

    private static final long serialVersionUID = 1;

    private final Kind kind;

    /** The reason. */
    public enum Kind {
        /** Another party could read its framing differently. */
        FRAMING,
        /** Its head, trailers or chunk sizes exceed a bound. */
        TOO_LARGE,
        /** Too much is in flight, in total or from the address, while the request itself is within its bounds. */
        OVERLOAD
    }

    RequestHeadException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    /** Has no stack trace, because clients control how often it is thrown. */
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
