package io.weir.plugin.call;

import io.weir.jsonrpc.RpcError;

/**
 * How a call into a plugin's code ended. Immutable.
 *
 * @param <R> what the call gives
 */
sealed interface Ending<R> permits Ending.Value, Ending.Refusal, Ending.Broken, Ending.Late, Ending.Rejected {

    /** It gave a value. */
    record Value<R>(R value) implements Ending<R> {}

    /** It answered with a JSON-RPC error of its own. */
    record Refusal<R>(RpcError error) implements Ending<R> {}

    /** It threw, gave nothing, or gave what cannot be written. */
    record Broken<R>(Throwable cause) implements Ending<R> {}

    /**
     * It had not ended at its deadline.
     *
     * @param begun whether its code had begun
     */
    record Late<R>(boolean begun) implements Ending<R> {}

    /** Too many calls of the plugin are under way, or it is closed: none of its code ran. */
    record Rejected<R>() implements Ending<R> {}
}
