package io.weir.wallet.state;

/** How far a transaction has come. */
public enum TransactionState {
    /** Signed and stored; whether a node has it is not known. Never shown. */
    PREPARED,
    /** A node has taken it. */
    RECEIVED,
    /** It is in the block that is being made. */
    PENDING,
    /** It is in a block. */
    ACCEPTED_ON_L2,
    /** The network has refused it: its nonce is free. */
    REJECTED;

    /** Whether the network may still say something new of it. */
    public boolean isSettled() {
        return this == ACCEPTED_ON_L2 || this == REJECTED;
    }
}
