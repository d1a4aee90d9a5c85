package io.weir.jsonrpc;

import org.jspecify.annotations.Nullable;

/**
 * A valid JSON-RPC 2.0 call or notification. Immutable.
 *
 * @param id the id exactly as it was written (a string, a number or {@code null}), or null for a notification
 * @param method the method's name, unescaped
 * @param params the parameters, an array or an object, as they were written; null where there were none, or the
 *     literal {@code null}, which real clients send
 */
public record RpcCall(
        @Nullable RawJson id, String method, @Nullable RawJson params) implements RequestItem {

    /** Whether the caller wants no answer. */
    public boolean isNotification() {
        return id == null;
    }
}
