package io.weir.wallet.page;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The persons who approve. Their credentials are known by their SHA-256 alone. Immutable. */
final class Approvers {

    private final Map<String, byte[]> sha256ByName;

    /** Takes the hashes of the credentials, by the names of the persons. */
    Approvers(Map<String, byte[]> sha256ByName) {
        this.sha256ByName = Map.copyOf(sha256ByName);
    }

    /** Returns the name of the person whose credential it is, or null. The time it takes tells nothing of a credential. */
    @Nullable
    String nameOf(String credential) {
        byte[] hash = sha256(credential);
        String found = null;
        for (Map.Entry<String, byte[]> one : sha256ByName.entrySet()) {
            if (MessageDigest.isEqual(hash, one.getValue())) {
                found = one.getKey();
            }
        }
        return found;
    }

    static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: missing (expected: in every JVM)", e);
        }
    }
}
