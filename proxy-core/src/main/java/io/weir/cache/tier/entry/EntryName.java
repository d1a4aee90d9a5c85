package io.weir.cache.tier.entry;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.jsonrpc.RawJson;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * What an entry is found by: where it belongs, and the SHA-256 of its call. The call stands in the entry too, and is compared
 * whole. Immutable; the array is not to be written to.
 *
 * @param space the chain's and its present name space's
 */
public record EntryName(String space, byte[] digest) {

    /** The name of a call's result. */
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

    /** As a text without blanks. */
    public String text() {
        return space + ':' + Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    }

    /** Tells most names apart. */
    public long print() {
        return ByteBuffer.wrap(digest).getLong();
    }
}
