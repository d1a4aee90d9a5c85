package io.weir.method.params.kind;

import io.weir.jsonrpc.RawJson;

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
}
