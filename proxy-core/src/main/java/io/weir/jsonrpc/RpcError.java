package io.weir.jsonrpc;

import org.jspecify.annotations.Nullable;

/**
 * A JSON-RPC error object. Immutable.
 *
 * @param data the error's data as it stands in the text, or null where it has none
 */
public record RpcError(int code, String message, @Nullable RawJson data) {

    /** The same error with data. */
    public RpcError withData(RawJson moreData) {
        return new RpcError(code, message, moreData);
    }
}
