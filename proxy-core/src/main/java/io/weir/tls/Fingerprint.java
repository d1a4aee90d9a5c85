package io.weir.tls;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;

/** The fingerprint of a certificate: its SHA-256 in lower-case hex. */
public final class Fingerprint {

    private Fingerprint() {}

    public static String of(X509Certificate certificate) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
        } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
            throw new IllegalStateException("certificate: no fingerprint (expected: SHA-256 of its encoding)", e);
        }
    }
}
