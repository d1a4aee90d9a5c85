package io.weir.upstream.verdict;

import org.jspecify.annotations.Nullable;

/**
 * Meaning of an outcome that is no plain result: an error about the call that a node answered, which {@link ErrorTable} decides, an attempt
 * without a usable answer, which its fault decides, or a result in doubt. The node applies it, the rule of retries reads it, and meters
 * count it. Immutable.
 *
 * @param errorClass the class under which it is counted; null if it says nothing about the node or the call
 * @param effect the effect on the node that gave it
 * @param then whether another node is asked
 * @param isPassing whether the same node may answer the call a moment later; of failures alone
 * @param lack what the node lacks
 * @param row the name of the table's row, or of the fault, that decided
 */
public record Verdict(
        @Nullable ErrorClass errorClass, Effect effect, Then then, boolean isPassing, Lack lack, String row) {

    /** Name of the row for errors that are the client's by their code alone. */
    static final String MISTAKES_BY_CODE = "codes of mistakes";

    /** Name in place of a row's for errors that the network itself defines. */
    public static final String OF_NETWORK = "the network's own error";

    /** A result that is false if the chain has the rules of its settings, which is not known yet. */
    public static final Verdict DOUBTFUL =
            new Verdict(null, Effect.NONE, Then.ELSEWHERE, false, Lack.NOTHING, "a result in doubt");

    /** A result of which a part is not known, so that nothing can be said about it. */
    public static final Verdict UNVERIFIABLE =
            new Verdict(null, Effect.NONE, Then.ELSEWHERE, false, Lack.NOTHING, "a result that nobody can verify");

    /** Effect on the node. */
    public enum Effect {
        /** It says nothing about the node. */
        NONE,
        /** The node answered. */
        ANSWERED,
        /** The node gets no calls for a while, but is not down. */
        THROTTLED,
        /** One fault. Several in a row take the node out. */
        FAULT,
        /** The node is taken out. */
        OUT
    }

    /** Whether another node is asked. */
    public enum Then {
        /** No other node is asked. */
        FINAL,
        /** Another node is asked if the call is safe to repeat. */
        ELSEWHERE,
        /** Another node is asked for any call, because this one did nothing. */
        ELSEWHERE_UNDONE
    }

    /** Things that a node may lack although a call needs them. */
    public enum Lack {
        /** Nothing that it says. */
        NOTHING,
        /** The method. */
        METHOD,
        /** The block, the state or the history that the call is about. */
        DATA,
        /** The requested object, which may not exist. A lookup that finds nothing equals the result {@code null}. */
        OBJECT
    }

    /** Creates the meaning of an error that a node answered. */
    public static Verdict ofError(ErrorClass errorClass, Lack lack, Then then, String row) {
        return new Verdict(errorClass, errorClass.effect(), then, false, lack, row);
    }

    public boolean is(ErrorClass wanted) {
        return errorClass == wanted;
    }

    /** Returns whether a result is in doubt, so that one more node is asked. */
    public boolean isDoubt() {
        return equals(DOUBTFUL) || equals(UNVERIFIABLE);
    }

    /** Returns whether the node says that the requested object does not exist, as far as it knows. */
    public boolean isNothingFound() {
        return lack == Lack.OBJECT;
    }

    /** Returns whether the error is one that the network itself defines, so that the node has the method. */
    public boolean isOfNetwork() {
        return row.equals(OF_NETWORK);
    }

    /** Returns whether only the error's code says that the call is wrong. */
    public boolean isMistakeByCode() {
        return row.equals(MISTAKES_BY_CODE);
    }
}
