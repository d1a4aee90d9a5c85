package io.weir.l2.transaction;

/** The places where an account's data is stored. */
public enum DataAvailability {
    L1,
    L2;

    /** The number that is hashed. */
    int code() {
        return this == L1 ? 0 : 1;
    }
}
