package io.weir.cache.tier.entry;

import io.weir.jsonrpc.RawJson;
import org.jspecify.annotations.Nullable;

/**
 * Result in the form that tiers store. Immutable.
 *
 * @param params of its call, in normal form
 * @param number of the block on which it depends
 * @param hash of that block, {@code 0x} and 64 digits in lower case; null if only the number is known
 * @param source the node that gave it; {@link Source#NONE} if it is proven
 */
public record TierEntry(
        String method,
        RawJson params,
        RawJson value,
        long number,
        @Nullable String hash,
        Source source) {

    /**
     * Node that gave an unproven result. Immutable.
     *
     * @param node fingerprint of its id; 0 for none
     * @param count revocations of the node before the result was stored
     */
    public record Source(int node, int count) {

        /** No node. */
        public static final Source NONE = new Source(0, 0);
    }

    /** Returns the same result of a node. */
    public TierEntry from(Source node) {
        return node.equals(source) ? this : new TierEntry(method, params, value, number, hash, node);
    }

    /** Returns about how many bytes it takes while it waits to be stored. */
    public long size() {
        return 200L + params.length() + value.length();
    }
}
