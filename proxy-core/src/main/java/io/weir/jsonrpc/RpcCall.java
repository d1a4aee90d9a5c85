package io.weir.jsonrpc;

import org.jspecify.annotations.Nullable;

/**
 * A valid JSON-RPC 2.0 call or notification. Immutable.
 *
 * @param id the id exactly as written (a string, a number or {@code null}), or null for a notification
 * @param method the method's name, unescaped
 * @param params the parameters as written, an array or an object; null if absent or the literal {@code null}, which
 *     real clients send
 */
public record RpcCall(
        @Nullable RawJson id, String method, @Nullable RawJson params) implements RequestItem {

    /** Returns whether the caller expects no answer. */
    public boolean isNotification() {
        return id == null;
    }

    @Override
    public int count() {
        return 1;
    }
}
