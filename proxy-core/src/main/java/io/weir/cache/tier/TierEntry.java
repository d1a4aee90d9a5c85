package io.weir.cache.tier;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.jsonrpc.RawJson;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
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

    /**
     * Name of an entry: its name space, and the SHA-256 of its call. The entry also contains the call, which is compared
     * completely. Immutable; the array must not be written to.
     *
     * @param space the chain with its present name space
     */
    public record EntryName(String space, byte[] digest) {

        /** Returns the name of a call's result. */
        public static EntryName of(String space, String method, RawJson params) {
            MessageDigest sha;
            try {
                sha = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java has SHA-256", e);
            }
            sha.update(space.getBytes(UTF_8));
            sha.update((byte) 0);
            sha.update(method.getBytes(UTF_8));
            sha.update((byte) 0);
            sha.update(params.array(), params.offset(), params.length());
            return new EntryName(space, sha.digest());
        }

        /** Returns the name as a text without spaces. */
        public String text() {
            return space + ':' + Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        }

        /** Returns a fingerprint, which differs for most names. */
        public long fingerprint() {
            return ByteBuffer.wrap(digest).getLong();
        }
    }
}
