package io.weir.cache.block;

import io.weir.jsonrpc.RawJson;

/**
 * What a kept block or its receipts answer. Immutable.
 *
 * @param proven what was proven of it, as clients are told; empty where nothing was
 * @param whole whether it is the kept result itself, not something that was cut out of it
 */
public record Slice(RawJson value, String proven, boolean whole) {

    static Slice cut(RawJson value, String proven) {
        return new Slice(value, proven, false);
    }

    static RawJson quantity(int number) {
        return RawJson.of("\"0x" + Integer.toHexString(number) + '"');
    }
}
