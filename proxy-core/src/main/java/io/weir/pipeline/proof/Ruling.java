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
        /** It counts, and a member in it is neither known nor listed for the chain: it is not called verified. */
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

    /** Whether all that hashes cover is right. */
    boolean isRight() {
        return kind == Kind.PROVEN || kind == Kind.UNLISTED;
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
