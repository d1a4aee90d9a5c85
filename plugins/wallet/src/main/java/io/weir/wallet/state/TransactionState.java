package io.weir.wallet.state;

/**
 * How far a transaction has come. One approval leads to at most one signed transaction for each of its parts.
 *
 * <pre>
 * PREPARED ──► RECEIVED ──► PENDING ──► ACCEPTED_ON_L2
 *     │  ▲         │           │             │
 *     │  └─ given ─┴───────────┘             └─► RECEIVED, if a reorganisation took it out of its block;
 *     │     again, the same bytes                REPLACED, if another one with its nonce is in a block then
 *     ├──► REJECTED ──► any state that a node tells later: a node may have lied when it refused
 *     └──► REPLACED      another transaction with the nonce is in a block
 * </pre>
 *
 * <p>A nonce is in use from {@code PREPARED} on, until the network has refused the transaction. Then the next transaction gets the
 * nonce, so that at most one of the two is ever carried out.
 */
public enum TransactionState {
    /** Signed and stored; whether a node has it is not known. Shown as {@code SUBMITTING}. */
    PREPARED("SUBMITTING"),
    /** A node has taken it. */
    RECEIVED("RECEIVED"),
    /** It is in the block that is being made. */
    PENDING("PENDING"),
    /** It is in a block; if it has a failure reason, it was reverted there. */
    ACCEPTED_ON_L2("ACCEPTED_ON_L2"),
    /** The network has refused it: its nonce is free. */
    REJECTED("REJECTED"),
    /** Another transaction of the account with the same nonce is in a block: it can never be carried out. */
    REPLACED("REJECTED");

    private final String shown;

    TransactionState(String shown) {
        this.shown = shown;
    }

    /** Returns the status as callers get it. */
    public String shown() {
        return shown;
    }

    /** Whether the network will most likely say nothing new of it. */
    public boolean isSettled() {
        return this == ACCEPTED_ON_L2 || this == REJECTED || this == REPLACED;
    }
}
