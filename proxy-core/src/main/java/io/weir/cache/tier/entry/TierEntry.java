package io.weir.cache.tier.entry;

import io.weir.jsonrpc.RawJson;
import org.jspecify.annotations.Nullable;

/**
 * Result in the form that tiers store. Immutable.
 *
 * @param params of its call, in normal form
 * @param number of the block on which it depends
 * @param hash of that block, {@code 0x} and 64 digits in lower case; null if only the number is known
 */
public record TierEntry(
        String method,
        RawJson params,
        RawJson value,
        long number,
        @Nullable String hash) {

    /** Returns about how many bytes it takes while it waits to be stored. */
    public long size() {
        return 200L + params.length() + value.length();
    }
}
