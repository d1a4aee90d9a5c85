package io.weir.wallet.state;

/** The file of the wallet's state fails. */
public final class StateException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StateException(String message, Throwable cause) {
        super(message, cause);
    }

    StateException(String message) {
        super(message);
    }
}
