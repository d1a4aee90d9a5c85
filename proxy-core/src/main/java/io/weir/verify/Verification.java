package io.weir.verify;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Result of verifying an answer. Immutable.
 *
 * @param <T> type of the answer once it is proven
 */
public sealed interface Verification<T>
        permits Verification.Proven,
                Verification.Unlisted,
                Verification.Incomplete,
                Verification.Unverifiable,
                Verification.Unprovable,
                Verification.Wrong,
                Verification.Missing,
                Verification.Unanchored,
                Verification.Shed {

    /** Kind of a result: one for each record of this interface, for switches and meters. */
    enum Kind {
        PROVEN(Proven.class),
        UNLISTED(Unlisted.class),
        INCOMPLETE(Incomplete.class),
        UNVERIFIABLE(Unverifiable.class),
        UNPROVABLE(Unprovable.class),
        WRONG(Wrong.class),
        MISSING(Missing.class),
        UNANCHORED(Unanchored.class),
        SHED(Shed.class);

        private final Class<?> type;

        Kind(Class<?> type) {
            this.type = type;
        }
    }

    default Kind kind() {
        return Arrays.stream(Kind.values())
                .filter(kind -> kind.type.isInstance(this))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the verified answer; null if the answer cannot be relied on. */
    default @Nullable T value() {
        return null;
    }

    /** Returns the proven parts, as clients read them in the response header; empty if clients must not rely on any. */
    default String parts() {
        return "";
    }

    /** Returns the proven parts as the response header lists them, with the place of the answer's block if that is known. */
    default String shown() {
        return parts();
    }

    /** Returns the difference or the reason, for logs; empty if the answer is proven. */
    default String detail() {
        return "";
    }

    /**
     * Verifies a proven answer further. Every other result is returned as it is.
     *
     * @param next verifies the value
     */
    default <U> Verification<U> then(Next<? super T, U> next) {
        return this instanceof Proven<T> proven ? next.verify(proven.value()) : failure();
    }

    /**
     * Returns this result for an answer of another type.
     *
     * @throws IllegalStateException if this result has a value
     */
    @SuppressWarnings("unchecked")
    default <U> Verification<U> failure() {
        if (value() != null) {
            throw new IllegalStateException("verification: " + kind() + " (expected: one without a value)");
        }
        // No record without a value holds anything of type T.
        return (Verification<U>) this;
    }

    /**
     * Further step of a verification.
     *
     * @param <T> type of the proven value
     * @param <U> type of the result's value
     */
    @FunctionalInterface
    interface Next<T, U> {

        /** Verifies what follows from a proven value. */
        Verification<U> verify(T value);
    }

    /**
     * Every hash and every comparison holds.
     *
     * @param parts proven parts, as clients read them; empty if clients must not rely on any
     * @param placed whether several nodes agree that the answer's block is canonical
     */
    record Proven<T>(T value, String parts, boolean placed) implements Verification<T> {

        /** Makes a result that proves a part of an answer only. */
        public Proven(T value) {
            this(value, "");
        }

        /** Makes a result that says nothing of the block's place. */
        public Proven(T value, String parts) {
            this(value, parts, false);
        }

        @Override
        public String shown() {
            return placed ? Part.placed(parts) : parts;
        }

        /** Returns this result without parts: the answer may be cached, and clients must not rely on it. */
        public Proven<T> withoutParts() {
            return new Proven<>(value, "");
        }
    }

    /**
     * Every hash and every comparison holds, but the answer has a member that is neither known nor listed for the chain. Such an
     * answer is not called verified, and it is not cached.
     *
     * @param detail names the member
     */
    record Unlisted<T>(T value, String detail) implements Verification<T> {}

    /**
     * The answer is right as far as it was verified. More evidence may prove the rest, which no hash may cover, as of a list of hashes.
     *
     * @param value from which the proof goes on; null if it cannot
     * @param detail names the rest
     */
    record Incomplete<T>(@Nullable T value, String detail) implements Verification<T> {

        /** A list of all logs of one block, which fill the bloom of the block's header: nothing proves their data. */
        public static final Incomplete<?> FILLED_BLOOM = new Incomplete<>("logs by the bloom of their block");

        /** Makes a result from which no proof goes on. */
        public Incomplete(String detail) {
            this(null, detail);
        }
    }

    /**
     * Nothing can be said. The answer has no hash yet, no node gives its proof, or a part of it may be unknown to this code.
     *
     * @param detail the reason; names members, never whole values
     */
    record Unverifiable<T>(String detail) implements Verification<T> {}

    /**
     * No rule of the chain's family covers the answer. No node's answer can be proven, so that it costs no health.
     *
     * @param detail the reason
     */
    record Unprovable<T>(String detail) implements Verification<T> {}

    /**
     * A hash, a root or a comparison fails.
     *
     * @param detail the difference as {@code path: value (expected: value)}, values cut short
     */
    record Wrong<T>(String detail) implements Verification<T> {}

    /**
     * The proof of the answer did not arrive. Another node may give it.
     *
     * @param detail names the proof
     */
    record Missing<T>(String detail) implements Verification<T> {}

    /**
     * The answer is consistent in itself. Its block is not known to be canonical, although another node was asked.
     *
     * @param value as far as it is proven apart from its place; null if that does not matter
     */
    record Unanchored<T>(@Nullable T value) implements Verification<T> {

        /** Makes a result that says nothing of the answer but that. */
        public Unanchored() {
            this(null);
        }
    }

    /** The answer was not verified, because the executor had no capacity. */
    record Shed<T>() implements Verification<T> {}

    /** Part of an answer that can be proven, as the response header names it. */
    enum Part {
        /** A block's header: its hash follows from its fields. */
        HEADER("header"),
        /** A block's transactions, each with its sender, and their positions. */
        TRANSACTIONS("transactions"),
        /** A block's receipts with their logs. */
        RECEIPTS("receipts"),
        /** One transaction's signed fields, not its position. */
        TRANSACTION("transaction"),
        /** An account and slots of its storage, by the state root of a header that its hash proves. */
        STATE("state");

        private static final String LOGS = ", logs";

        /** The parts of a block with all its transactions. */
        public static final String WHOLE_BLOCK = HEADER.word + ", " + TRANSACTIONS.word;

        /** The parts of a list of one block's logs that was cut out of the block's receipts, so that none can be missing. */
        public static final String WHOLE_LOGS = RECEIPTS.word + LOGS;

        /** The parts of an empty list of one block's logs, of which the bloom of the block tells that none can be missing. */
        public static final String NO_LOGS = HEADER.word + LOGS;

        private static final String PLACE = ", place";

        private final String word;

        Part(String word) {
            this.word = word;
        }

        /** Adds to proven parts that several nodes agree on the place of their block. Without parts nothing is shown. */
        public static String placed(String parts) {
            return parts.isEmpty() ? parts : parts + PLACE;
        }

        /** Returns whether parts tell that no log is missing from a list. */
        public static boolean isOfAllLogs(String shown) {
            return shown.contains(LOGS);
        }

        /** Returns whether parts tell that several nodes agree on the place of their block. */
        public static boolean isPlaced(String shown) {
            return shown.endsWith(PLACE);
        }

        public String word() {
            return word;
        }
    }
}
