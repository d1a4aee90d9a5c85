package io.weir.cache;

import io.weir.jsonrpc.RawJson;

/**
 * What two calls have in common that have the same answer: compared whole. Immutable.
 *
 * @param network by name
 * @param params in normal form
 */
public record CallKey(String network, String method, RawJson params) {

    /** The same, holding nothing but itself. */
    public CallKey compact() {
        return new CallKey(network, method, params.compact());
    }
}
