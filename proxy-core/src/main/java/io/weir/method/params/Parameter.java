package io.weir.method.params;

import io.weir.jsonrpc.RawJson;
import io.weir.method.params.kind.HexKind;
import io.weir.method.params.kind.Kind;
import org.jspecify.annotations.Nullable;

/**
 * One place in a method's parameters. Immutable.
 *
 * @param preset what is written where the parameter is left out; null where nothing is
 */
record Parameter(
        Kind kind, Presence presence, Role role, @Nullable RawJson preset) {

    /** Whether it must be there. */
    enum Presence {
        /** It must. */
        REQUIRED,
        /** It must by the book; where leniency is allowed, it may be left out. */
        EXPECTED,
        /** It may be left out. */
        OPTIONAL
    }

    /** What it says of the call. */
    enum Role {
        /** Nothing in particular. */
        ARGUMENT,
        /** The block that the call is about. */
        BLOCK,
        /** The same, as a hash to look up. */
        BLOCK_HASH,
        /** The hash of a transaction to look up. */
        TRANSACTION_HASH,
        /** A filter, which says what blocks the call is about. */
        LOG_FILTER,
        /** A call to be carried out. */
        CALL
    }

    static Parameter required(Kind kind) {
        return new Parameter(kind, Presence.REQUIRED, Role.ARGUMENT, null);
    }

    static Parameter required(Kind kind, Role role) {
        return new Parameter(kind, Presence.REQUIRED, role, null);
    }

    static Parameter optional(Kind kind) {
        return new Parameter(kind, Presence.OPTIONAL, Role.ARGUMENT, null);
    }

    /** A block of a method that asks for state: nodes that take less take the head. */
    static Parameter stateBlock() {
        return new Parameter(BlockParameter.STATE, Presence.EXPECTED, Role.BLOCK, BlockTag.LATEST.json());
    }

    static Parameter block(BlockParameter kind) {
        return required(kind, Role.BLOCK);
    }

    static Parameter blockHash() {
        return required(HexKind.HASH, Role.BLOCK_HASH);
    }

    static Parameter transactionHash() {
        return required(HexKind.HASH, Role.TRANSACTION_HASH);
    }

    static Parameter call() {
        return required(CallObject.KIND, Role.CALL);
    }

    boolean mayBeLeftOut(boolean lenient) {
        return presence == Presence.OPTIONAL || (lenient && presence == Presence.EXPECTED);
    }
}
