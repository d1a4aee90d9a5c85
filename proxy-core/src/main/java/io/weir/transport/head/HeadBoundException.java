package io.weir.transport.head;

import io.netty.handler.codec.TooLongFrameException;

/** A request whose head, trailers or chunk sizes exceed a bound. Its message repeats nothing of the request. */
public final class HeadBoundException extends TooLongFrameException {

    private static final long serialVersionUID = 1;

    private final boolean overload;

    private HeadBoundException(boolean overload, String message) {
        super(message);
        this.overload = overload;
    }

    /** One request exceeds a bound of its own. */
    static HeadBoundException tooLarge(String message) {
        return new HeadBoundException(false, message);
    }

    /** Too much is in flight, in all or from the address. */
    static HeadBoundException overload() {
        return new HeadBoundException(true, "overloaded");
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
