package io.weir.verify;

/**
 * What came of holding an object against its hashes. Immutable.
 *
 * @param <T> what the object is once it is proven
 */
public sealed interface Finding<T> permits Finding.Proven, Finding.Unverifiable, Finding.Wrong {

    /** Every hash and every comparison holds. */
    record Proven<T>(T value) implements Finding<T> {}

    /**
     * Nothing can be said: the object has no hash yet, or something that this code does not know may be part of it.
     *
     * @param reason for logs; names members, never whole values
     */
    record Unverifiable<T>(String reason) implements Finding<T> {}

    /**
     * A hash, a root or a comparison fails.
     *
     * @param difference what differs, as {@code path: value (expected: value)}, values cut short
     */
    record Wrong<T>(String difference) implements Finding<T> {}
}
