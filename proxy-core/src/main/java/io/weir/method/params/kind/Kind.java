package io.weir.method.params.kind;

import io.weir.jsonrpc.RawJson;

/** What a parameter, or a value within one, may be. Implementations are immutable and thread-safe. */
@FunctionalInterface
public interface Kind {

    /**
     * Holds a value against the rule.
     *
     * @param value one complete JSON value
     * @param counts what the call's parameters held before it
     * @return its normal form: the very same object where it is in it already
     */
    RawJson normalise(RawJson value, ParamCounts counts) throws InvalidParamsException;
}
