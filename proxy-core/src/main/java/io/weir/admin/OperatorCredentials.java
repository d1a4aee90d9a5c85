package io.weir.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.api.AdminPage.Request;
import io.weir.config.AdminConfig;
import io.weir.tls.Fingerprint;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The credentials for operations: a token, known only by its SHA-256, or a client certificate, known by its fingerprint. A
 * fingerprint names one certificate exactly. A subject would be a name that every authority of the operator may give away.
 * Immutable and thread-safe.
 */
final class OperatorCredentials {

    private static final String SCHEME = "bearer ";

    private final byte @Nullable [] tokenSha256;
    private final Set<String> certificates;

    OperatorCredentials(AdminConfig config) {
        String token = config.tokenSha256();
        this.tokenSha256 = token == null ? null : HexFormat.of().parseHex(token);
        this.certificates = config.clientCertificates();
    }

    /** Returns whether there are any; else there are no operations. */
    boolean exist() {
        return tokenSha256 != null || !certificates.isEmpty();
    }

    /**
     * Returns whether a request has one of them. The duration reveals nothing about the token.
     *
     * @param certificate the one that the client has shown, or null
     */
    boolean areIn(Request request, @Nullable X509Certificate certificate) {
        return (certificate != null && certificates.contains(Fingerprint.of(certificate))) || hasToken(request);
    }

    private boolean hasToken(Request request) {
        String header = request.header("authorization");
        if (tokenSha256 == null
                || header == null
                || !header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return false;
        }
        return MessageDigest.isEqual(digest(header.substring(SCHEME.length()).strip()), tokenSha256);
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: missing (expected: in every JVM)", e);
        }
    }
}
