package io.weir.pipeline.send;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.transaction.NetworkForm;
import io.weir.ethereum.transaction.Transaction;
import io.weir.jsonrpc.RawJson;
import org.jspecify.annotations.Nullable;

/**
 * A signed transaction as a client sent it. Immutable.
 *
 * @param bytes all that was sent, blobs included
 * @param hash what it is known by everywhere
 * @param fingerprint of the bytes, by a hash for which nobody can make many transactions alike: blobs are no part of the other hash
 */
record SentTransaction(Bytes bytes, Hash32 hash, int fingerprint) {

    /** The transaction, or null where the bytes are none of a type known here, so that nobody can tell its hash. */
    static @Nullable SentTransaction read(byte[] sent) {
        try {
            byte[] canonical = NetworkForm.withoutBlobs(sent);
            Transaction.decode(canonical);
            return new SentTransaction(
                    Bytes.wrap(sent), Hash32.keccak(canonical), RawJson.of(sent).hashCode());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** The hash as a result. */
    RawJson result() {
        return RawJson.of('"' + hash.hex() + '"');
    }

    /** Made once: the bytes may be a megabyte. */
    @Override
    public int hashCode() {
        return fingerprint;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SentTransaction that
                && fingerprint == that.fingerprint
                && hash.equals(that.hash)
                && bytes.equals(that.bytes);
    }
}
