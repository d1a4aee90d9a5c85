package io.weir.wallet.state;

import org.jspecify.annotations.Nullable;

/** The file of the wallet's state fails. */
public final class StateException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StateException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
