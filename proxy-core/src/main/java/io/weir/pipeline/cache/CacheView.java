package io.weir.pipeline.cache;

import io.weir.cache.CallKey;
import io.weir.cache.Slice;
import io.weir.jsonrpc.RpcReply;
import org.jspecify.annotations.Nullable;

/**
 * The facts that decide a call, read once. Immutable.
 *
 * @param answer from memory; null if memory has none, or none that is known to be valid
 * @param unsure whether memory may have an answer, which is valid or not as the chain now stands
 * @param block the state of the block that the call is about; null unless memory has no answer and a fetch of the block could bring it
 * @param arriving whether the call looks up a transaction of an unknown block, which may be among those that are being fetched
 */
record CacheView(
        @Nullable StoredAnswer answer,
        boolean unsure,
        @Nullable BlockAccess block,
        boolean arriving) {

    static final CacheView NOTHING = new CacheView(null, false, null, false);
    static final CacheView ARRIVING = new CacheView(null, false, null, true);
    static final CacheView UNSURE = new CacheView(null, true, null, false);

    /**
     * An answer from memory. Immutable.
     *
     * @param slice its value, whether it is a whole stored result, and what was proven of it
     * @param finalKey the key of a final block's result that is the answer; null if the answer is something else
     */
    record StoredAnswer(
            RpcReply reply, Slice slice, @Nullable CallKey finalKey) {}

    /** Returns whether memory holds nothing that matters for the call, which then goes to a node as it is. */
    boolean isNothing() {
        return answer == null && !unsure && block == null && !arriving;
    }

    static CacheView of(RpcReply reply, Slice slice, @Nullable CallKey finalKey) {
        return new CacheView(new StoredAnswer(reply, slice, finalKey), false, null, false);
    }
}
