package io.weir.pipeline.proof;

import io.weir.verify.Finding;

/**
 * What came of looking at an answer. Immutable.
 *
 * @param detail what differs or is not known, for the log
 */
record Ruling(Kind kind, String detail) {

    /** Nothing is wrong with it. */
    static final Ruling PROVEN = new Ruling(Kind.PROVEN, "");

    /** What follows. */
    enum Kind {
        /** It counts. */
        PROVEN,
        /** It is right, but holds a member that is neither known nor listed for the chain: not called verified, if served at all. */
        UNLISTED,
        /** Something in it is not known, or nobody gives what would prove it. */
        UNVERIFIABLE,
        /** It is false. */
        FALSE,
        /** What would prove it did not come: another node may have more luck. */
        LACKING,
        /** There was no room to look at it. */
        SHED
    }

    static Ruling of(Finding<?> finding) {
        if (finding instanceof Finding.Proven<?>) {
            return PROVEN;
        }
        if (finding instanceof Finding.Unverifiable<?> unverifiable) {
            return new Ruling(Kind.UNVERIFIABLE, unverifiable.reason());
        }
        return new Ruling(Kind.FALSE, ((Finding.Wrong<?>) finding).difference());
    }
}
