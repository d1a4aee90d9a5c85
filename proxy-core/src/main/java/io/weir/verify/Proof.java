package io.weir.verify;

/**
 * Proof of a value. An exception says why there is none.
 *
 * @param <T> type of the value
 */
@FunctionalInterface
interface Proof<T> {

    /** Returns the proven value. */
    T value() throws DifferenceException, UnknownPartException;

    /** Returns the result of a proof. */
    static <T> Verification<T> verify(Proof<T> proof) {
        try {
            return new Verification.Proven<>(proof.value());
        } catch (UnknownPartException e) {
            return e.verification();
        } catch (DifferenceException e) {
            return e.verification();
        }
    }
}
