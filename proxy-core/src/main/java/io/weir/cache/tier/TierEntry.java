package io.weir.cache.tier;

import io.weir.jsonrpc.RawJson;
import org.jspecify.annotations.Nullable;

/**
 * Result in the form that tiers store. Immutable.
 *
 * @param params of its call, in normal form
 * @param number of the block on which it depends
 * @param hash of that block, {@code 0x} and 64 digits in lower case; null if only the number is known
 * @param generation of the tier's unproven entries when it was stored; 0 if it counts only with a proof
 */
public record TierEntry(
        String method,
        RawJson params,
        RawJson value,
        long number,
        @Nullable String hash,
        long generation) {

    /** Returns the same result of a generation. */
    public TierEntry of(long since) {
        return new TierEntry(method, params, value, number, hash, since);
    }

    /** Returns about how many bytes it takes while it waits to be stored. */
    public long size() {
        return 200L + params.length() + value.length();
    }
}
