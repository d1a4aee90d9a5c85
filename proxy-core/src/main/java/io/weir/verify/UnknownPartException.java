package io.weir.verify;

/** Unknown part of an object, because of which a failing hash proves nothing. Immutable. */
final class UnknownPartException extends Exception {

    private static final long serialVersionUID = 1;

    private final String reason;

    /** Makes an exception without a stack trace: nodes can cause any number of them. */
    UnknownPartException(String reason) {
        super(null, null, false, false);
        this.reason = reason;
    }

    @Override
    public String getMessage() {
        return reason;
    }
}
