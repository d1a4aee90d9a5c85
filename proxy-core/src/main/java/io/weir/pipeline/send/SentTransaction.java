package io.weir.pipeline.send;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.transaction.NetworkForm;
import io.weir.ethereum.transaction.Transaction;
import io.weir.jsonrpc.RawJson;
import org.jspecify.annotations.Nullable;

/**
 * Signed transaction as a client sent it. Immutable.
 *
 * @param bytes all that was sent, blobs included
 * @param hash the transaction's hash
 * @param transaction without blobs
 * @param fingerprint of the bytes, by a hash whose collisions nobody can construct; the transaction's hash does not cover
 *     blobs
 */
record SentTransaction(Bytes bytes, Hash32 hash, Transaction transaction, int fingerprint) {

    /** Reads a transaction; null if its type is unknown here, so that its hash cannot be computed. */
    static @Nullable SentTransaction read(byte[] sent) {
        try {
            byte[] canonical = NetworkForm.withoutBlobs(sent);
            return new SentTransaction(
                    Bytes.wrap(sent),
                    Hash32.keccak(canonical),
                    Transaction.decode(canonical),
                    RawJson.of(sent).hashCode());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Returns the hash as a result. */
    RawJson result() {
        return RawJson.of('"' + hash.hex() + '"');
    }

    /** Uses the stored fingerprint, because the bytes may be a megabyte. */
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
