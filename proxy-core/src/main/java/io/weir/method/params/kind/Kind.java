package io.weir.method.params.kind;

import io.weir.jsonrpc.RawJson;
import org.jspecify.annotations.Nullable;

/** Rule for a parameter or for a value within one. Implementations are immutable and thread-safe. */
@FunctionalInterface
public interface Kind {

    /**
     * Checks a value.
     *
     * @param value one complete JSON value
     * @param counts the counted contents of the call's parameters so far
     * @return its normal form: the same object if it has that form already
     */
    RawJson normalise(RawJson value, ParamCounts counts) throws InvalidParamsException;

    /** Returns whether a value may add to the counts. */
    default boolean isCounted() {
        return true;
    }

    /** Rule for a value without contents that are counted. */
    interface Uncounted extends Kind {

        /** Returns the words for what is expected. */
        String expected();

        /** Returns the normal form of a value; null if the value does not fit. */
        @Nullable
        RawJson normal(RawJson value, ParamCounts counts) throws InvalidParamsException;

        @Override
        default RawJson normalise(RawJson value, ParamCounts counts) throws InvalidParamsException {
            RawJson normal = normal(value, counts);
            if (normal == null) {
                throw InvalidParamsException.wrong(value, expected());
            }
            return normal;
        }

        @Override
        default boolean isCounted() {
            return false;
        }
    }
}
