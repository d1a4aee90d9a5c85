package io.weir.upstream.verdict;

import org.jspecify.annotations.Nullable;

/**
 * Meaning of an outcome that is no result: an error that a node answered, or an attempt without a usable answer. It is decided once, by
 * {@link ErrorTable} for errors and by the fault of an attempt otherwise. The node's state applies it, the rule of retries reads it, and
 * meters count it. Immutable.
 *
 * @param errorClass the class under which it is counted; null if it says nothing about the node or the call
 * @param effect the effect on the node that gave it
 * @param then whether another node is asked
 * @param isPassing whether the same node may answer the call a moment later
 * @param lack what the node lacks
 * @param row the name of the table's row, or of the fault, that decided
 */
public record Verdict(
        @Nullable ErrorClass errorClass, Effect effect, Then then, boolean isPassing, Lack lack, String row) {

    /** Name of the row for rate limits by their code alone. */
    static final String RATES_BY_CODE = "code 429, 402";

    /** Name of the row for errors that are the client's by their code alone. */
    static final String MISTAKES_BY_CODE = "codes of mistakes";

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

    /** Returns whether it has this class. */
    public boolean is(ErrorClass wanted) {
        return errorClass == wanted;
    }

    /** Returns whether the node says that the requested object does not exist, as far as it knows. */
    public boolean isNothingFound() {
        return lack == Lack.OBJECT;
    }

    /** Returns whether the error's code alone says that the node limits the rate. */
    public boolean isRateByCode() {
        return row.equals(RATES_BY_CODE);
    }

    /** Returns whether only the error's code says that the call is wrong. */
    public boolean isMistakeByCode() {
        return row.equals(MISTAKES_BY_CODE);
    }
}
