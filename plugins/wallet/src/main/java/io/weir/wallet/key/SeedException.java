package io.weir.wallet.key;

/** A seed that is not to be had. Its text says why and what to do, goes to callers and logs, and holds no secret and no path of a file. */
public final class SeedException extends Exception {
    private static final long serialVersionUID = 1;

    public SeedException(String message) {
        super(message);
    }

    public SeedException(String message, Throwable cause) {
        super(message, cause);
    }
}
