package io.weir.verify;

import org.jspecify.annotations.Nullable;

/** Part of an object that is unknown, or that no rule covers: a failing hash proves nothing. Immutable. */
final class UnknownPartException extends Exception {

    private static final long serialVersionUID = 1;

    private final String reason;
    private final boolean ruled;

    UnknownPartException(String reason) {
        this(reason, true);
    }

    /** Makes an exception without a stack trace: nodes can cause any number of them. */
    private UnknownPartException(String reason, boolean ruled) {
        super(null, null, false, false);
        this.reason = reason;
        this.ruled = ruled;
    }

    /** Returns an exception about data that no rule of the family covers. */
    static UnknownPartException withoutRule(String reason) {
        return new UnknownPartException(reason, false);
    }

    /**
     * Returns the exception for a difference that an unknown member or an untested rule may cause.
     *
     * @param unknown a member that is not known; null if there is none
     * @param untested whether the rule was only read
     * @throws DifferenceException the difference, if nothing of that kind may be its cause
     */
    static UnknownPartException insteadOf(DifferenceException difference, @Nullable String unknown, boolean untested)
            throws DifferenceException {
        if (unknown == null && !untested) {
            throw difference;
        }
        String cause = unknown == null ? "by a rule that is not tested" : "with a member that is not known: " + unknown;
        return new UnknownPartException(difference.getMessage() + ", " + cause);
    }

    /** Returns the result for the answer. */
    <T> Verification<T> verification() {
        return ruled ? new Verification.Unverifiable<>(reason) : new Verification.Unprovable<>(reason);
    }

    @Override
    public String getMessage() {
        return reason;
    }
}
