package io.weir.devnet.mining;

/** A transaction that may not wait to be mined; the reason is, in geth's words. Has no stack trace. */
public final class TransactionRejected extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String reason;

    TransactionRejected(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    /** Why. */
    public String reason() {
        return reason;
    }
}
