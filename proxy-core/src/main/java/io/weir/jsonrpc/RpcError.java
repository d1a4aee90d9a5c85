package io.weir.jsonrpc;

import org.jspecify.annotations.Nullable;

/**
 * A JSON-RPC error object. Immutable.
 *
 * @param data the error's data as written, or null if it has none
 */
public record RpcError(int code, String message, @Nullable RawJson data) {

    public RpcError withData(RawJson moreData) {
        return new RpcError(code, message, moreData);
    }
}
