package io.weir.cache;

import io.weir.jsonrpc.RawJson;

/**
 * Answer from a cached block or its receipts. Immutable.
 *
 * @param proven the proven parts, as clients see them; empty if nothing was proven
 * @param whole whether it is the cached result itself and not a slice of it
 */
public record Slice(RawJson value, String proven, boolean whole) {

    static Slice of(RawJson value, String proven) {
        return new Slice(value, proven, false);
    }

    static RawJson quantity(int number) {
        return RawJson.of("\"0x" + Integer.toHexString(number) + '"');
    }
}
