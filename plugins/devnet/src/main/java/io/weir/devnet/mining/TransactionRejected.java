package io.weir.devnet.mining;

/** A transaction that may not wait to be mined; the message says why, in geth's words. Has no stack trace. */
public final class TransactionRejected extends RuntimeException {
    private static final long serialVersionUID = 1;

    TransactionRejected(String message) {
        super(message, null, false, false);
    }
}
