package io.weir.plugin.call;

import io.weir.jsonrpc.RpcError;

/**
 * The end of a call into a plugin's code. Immutable.
 *
 * @param <R> the result of the call
 */
sealed interface Ending<R> permits Ending.Value, Ending.ErrorReply, Ending.Broken, Ending.Late, Ending.Rejected {

    /** The code returned a value. Immutable. */
    record Value<R>(R value) implements Ending<R> {}

    /** The code answered with a JSON-RPC error of its own. Immutable. */
    record ErrorReply<R>(RpcError error) implements Ending<R> {}

    /** The code threw, returned nothing, or returned an unwritable value. Immutable. */
    record Broken<R>(Throwable cause) implements Ending<R> {}

    /**
     * The call had not ended at its deadline. Immutable.
     *
     * @param begun whether its code had begun
     */
    record Late<R>(boolean begun) implements Ending<R> {}

    /** Too many calls of the plugin are in flight, or it is closed: none of its code ran. Immutable. */
    record Rejected<R>() implements Ending<R> {}
}
