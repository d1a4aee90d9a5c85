package io.weir.l2.transaction;

/** Where data of an account is kept. */
public enum DataAvailability {
    L1,
    L2;

    /** The number that is hashed. */
    int code() {
        return this == L1 ? 0 : 1;
    }
}
