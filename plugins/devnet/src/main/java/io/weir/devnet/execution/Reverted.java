package io.weir.devnet.execution;

import io.weir.ethereum.Bytes;

/** A contract's refusal, thrown inside a call and caught by {@link Token}. Has no stack trace. */
final class Reverted extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Bytes payload;

    private Reverted(Bytes payload) {
        super("execution reverted", null, false, false);
        this.payload = payload;
    }

    static Reverted silently() {
        return new Reverted(Bytes.EMPTY);
    }

    static Reverted because(String reason) {
        return new Reverted(Abi.error(reason));
    }

    /** Returns the data that the caller gets. */
    Bytes payload() {
        return payload;
    }
}
