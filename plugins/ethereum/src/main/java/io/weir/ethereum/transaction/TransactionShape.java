package io.weir.ethereum.transaction;

/** Holds transactions to the fields of their type. Thread-safe. */
final class TransactionShape {
    private TransactionShape() {}

    static void check(TransactionType type, String field, boolean present, boolean required, boolean allowed) {
        if (required && !present) {
            throw new IllegalArgumentException(field + ": none (expected: one in type " + type.number() + ")");
        }
        if (present && !allowed) {
            throw new IllegalArgumentException(field + ": present (expected: none in type " + type.number() + ")");
        }
    }
}
