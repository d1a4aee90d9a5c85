package io.weir.verify;

/** Something is there that this code does not know, so that a failing hash says nothing. Immutable. */
final class UnknownPartException extends Exception {

    private static final long serialVersionUID = 1;

    private final String reason;

    /** Without a stack trace: a node can cause as many as it likes. */
    UnknownPartException(String reason) {
        super(null, null, false, false);
        this.reason = reason;
    }

    @Override
    public String getMessage() {
        return reason;
    }
}
