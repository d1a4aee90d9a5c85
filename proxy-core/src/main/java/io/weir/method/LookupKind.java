package io.weir.method;

/** The way in which a method looks something up. A node that finds nothing answers a look-up with {@code null}. */
public enum LookupKind {
    /** The method looks nothing up. */
    NONE,
    /** By a hash. Another node may already have the object, or may still have it. */
    BY_HASH,
    /** By a number. */
    BY_NUMBER,
    /** A transaction by its hash. Many nodes index transactions of new blocks only. */
    OF_TRANSACTION;

    public boolean isLookup() {
        return this != NONE;
    }

    public boolean isByHash() {
        return this == BY_HASH || this == OF_TRANSACTION;
    }

    public boolean isOfTransaction() {
        return this == OF_TRANSACTION;
    }
}
