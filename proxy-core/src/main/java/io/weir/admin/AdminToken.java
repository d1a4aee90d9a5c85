package io.weir.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.api.AdminPage.Request;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The token for operations, known only by its SHA-256. Immutable and thread-safe. */
final class AdminToken {

    private static final String SCHEME = "bearer ";

    private final byte[] sha256;

    private AdminToken(byte[] sha256) {
        this.sha256 = sha256;
    }

    /** Returns the token with this hash; null, and so no operations, for no hash. */
    static @Nullable AdminToken of(@Nullable String sha256) {
        return sha256 == null ? null : new AdminToken(HexFormat.of().parseHex(sha256));
    }

    /** Returns whether a request has the token. The duration reveals nothing about the token. */
    boolean isIn(Request request) {
        String header = request.header("authorization");
        if (header == null || !header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return false;
        }
        return MessageDigest.isEqual(digest(header.substring(SCHEME.length()).strip()), sha256);
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: missing (expected: in every JVM)", e);
        }
    }
}
