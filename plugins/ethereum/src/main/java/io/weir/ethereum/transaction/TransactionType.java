package io.weir.ethereum.transaction;

/** The kinds of transaction by their first byte (EIP-2718). Immutable. */
public enum TransactionType {
    /** Before types: an RLP list without a leading byte; with a chain id since EIP-155. */
    LEGACY(0),
    /** With the storage that it will touch (EIP-2930). */
    ACCESS_LIST(1),
    /** With a most and a tip in place of a price (EIP-1559). */
    DYNAMIC_FEE(2),
    /** With hashes of data kept outside of the chain (EIP-4844). */
    BLOB(3),
    /** With leave to run code in the name of accounts (EIP-7702). */
    SET_CODE(4);

    private final int number;

    TransactionType(int number) {
        this.number = number;
    }

    /** The type's number, 0 to 4. */
    public int number() {
        return number;
    }

    /** Whether it bids a most and a tip, not a price. */
    public boolean hasDynamicFee() {
        return compareTo(DYNAMIC_FEE) >= 0;
    }

    /** The type of a number. */
    public static TransactionType of(int number) {
        for (TransactionType type : values()) {
            if (type.number == number) {
                return type;
            }
        }
        throw new IllegalArgumentException("transaction type: " + number + " (expected: 0 to 4)");
    }
}
