package io.weir.ethereum.transaction;

/** The kinds of transaction by their first byte (EIP-2718). Immutable. */
public enum TransactionType {
    /** Before types: an RLP list without a leading byte; with a chain id since EIP-155. */
    LEGACY,
    /** With the storage that it will touch (EIP-2930). */
    ACCESS_LIST,
    /** With a most and a tip in place of a price (EIP-1559). */
    DYNAMIC_FEE,
    /** With hashes of data kept outside of the chain (EIP-4844). */
    BLOB,
    /** With leave to run code in the name of accounts (EIP-7702). */
    SET_CODE;

    /** The type's number, 0 to 4. */
    public int number() {
        return ordinal();
    }

    /** Whether it bids a most and a tip, not a price. */
    public boolean hasDynamicFee() {
        return ordinal() >= DYNAMIC_FEE.ordinal();
    }

    /** The type of a number. */
    public static TransactionType of(int number) {
        if (number < 0 || number >= values().length) {
            throw new IllegalArgumentException("transaction type: " + number + " (expected: 0 to 4)");
        }
        return values()[number];
    }
}
