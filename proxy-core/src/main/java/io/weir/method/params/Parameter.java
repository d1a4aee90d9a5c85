package io.weir.method.params;

import io.weir.jsonrpc.RawJson;
import io.weir.method.params.kind.Kind;
import org.jspecify.annotations.Nullable;

/**
 * One parameter of a method, at its place. Immutable.
 *
 * @param kind the values that it takes, and their normal form
 * @param optional whether a call may leave it out: the specification allows that, or nodes do that clients expect it of
 * @param role its meaning for the call
 * @param preset the value that is written if a call leaves the parameter out; null for none
 */
public record Parameter(
        Kind kind, boolean optional, Role role, @Nullable RawJson preset) {

    /** The meaning of a parameter for its call. */
    public enum Role {
        /** None: an ordinary argument. */
        ARGUMENT,
        /** The block that the call is about. */
        BLOCK,
        /** The block that the call is about, as a hash to look up. */
        BLOCK_HASH,
        /** The hash of a transaction to look up. */
        TRANSACTION_HASH,
        /** A filter, which names the blocks that the call is about. */
        LOG_FILTER,
        /** A call to execute. */
        CALL
    }

    static Parameter required(Kind kind) {
        return new Parameter(kind, false, Role.ARGUMENT, null);
    }

    static Parameter required(Kind kind, Role role) {
        return new Parameter(kind, false, role, null);
    }

    static Parameter optional(Kind kind) {
        return new Parameter(kind, true, Role.ARGUMENT, null);
    }

    static Parameter block(BlockParameter kind) {
        return required(kind, Role.BLOCK);
    }
}
