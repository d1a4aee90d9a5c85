package io.weir.ethereum.transaction;

import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which fields a type has and which of them it cannot do without. Immutable. */
record TransactionShape(TransactionType type) {
    private static final int MAX_BITS = 256;

    /** An amount that the type has, and always. */
    void amount(String field, @Nullable BigInteger value, boolean has) {
        amount(field, value, has, has);
    }

    void amount(String field, @Nullable BigInteger value, boolean required, boolean allowed) {
        presence(field, value != null, required, allowed);
        if (value != null && (value.signum() < 0 || value.bitLength() > MAX_BITS)) {
            throw new IllegalArgumentException(field + ": " + value + " (expected: 0 to 2^256-1)");
        }
    }

    void list(String field, List<?> value, boolean allowed) {
        presence(field, !value.isEmpty(), false, allowed);
    }

    void presence(String field, boolean present, boolean required, boolean allowed) {
        if (required && !present) {
            throw new IllegalArgumentException(field + ": none (expected: one in type " + type.number() + ")");
        }
        if (present && !allowed) {
            throw new IllegalArgumentException(field + ": present (expected: none in type " + type.number() + ")");
        }
    }
}
