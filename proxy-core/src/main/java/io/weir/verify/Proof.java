package io.weir.verify;

/**
 * Proof of a value. An exception says why there is none.
 *
 * @param <T> type of the value
 */
@FunctionalInterface
interface Proof<T> {

    T value() throws UnprovenException;

    /** Returns the result of a proof. */
    static <T> Verification<T> verify(Proof<T> proof) {
        try {
            return new Verification.Proven<>(proof.value());
        } catch (UnprovenException e) {
            return e.verification();
        }
    }
}
