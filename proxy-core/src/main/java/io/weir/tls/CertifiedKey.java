package io.weir.tls;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A private key with its certificate and those of its authorities. Immutable.
 *
 * @param chain the certificate first, each signed by the next
 */
record CertifiedKey(List<X509Certificate> chain, PrivateKey key) {

    private static final int DNS_NAME = 2;
    private static final byte[] CHALLENGE = {1, 2, 3, 4};

    /**
     * Reads a key and its certificate, and checks that both fit together and are valid now.
     *
     * @param chain the file of the certificates
     * @param key the file of the key
     */
    static CertifiedKey of(PemFile chain, PemFile key, Instant now) throws TlsFileException {
        CertifiedKey read = new CertifiedKey(chain.certificates(), key.key());
        read.checkChain(chain, now);
        if (!read.matches()) {
            throw new TlsFileException(
                    key.path(),
                    "a key of another certificate than the first one in " + chain.path(),
                    "the key of that certificate");
        }
        return read;
    }

    private void checkChain(PemFile file, Instant now) throws TlsFileException {
        for (int i = 0; i < chain.size(); i++) {
            X509Certificate certificate = chain.get(i);
            String which = "certificate " + (i + 1);
            if (certificate.getNotAfter().toInstant().isBefore(now)) {
                throw new TlsFileException(
                        file.path(),
                        which + " expired at " + certificate.getNotAfter().toInstant(),
                        "certificates that are valid now");
            }
            if (certificate.getNotBefore().toInstant().isAfter(now)) {
                throw new TlsFileException(
                        file.path(),
                        which + " is valid only from "
                                + certificate.getNotBefore().toInstant(),
                        "certificates that are valid now");
            }
            if (i > 0 && !signed(certificate, chain.get(i - 1))) {
                throw new TlsFileException(
                        file.path(),
                        which + " did not sign certificate " + i,
                        "the listener's certificate first, each signed by the next");
            }
        }
    }

    private static boolean signed(X509Certificate authority, X509Certificate certificate) {
        try {
            certificate.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Returns whether a signature of the key fits the certificate. */
    private boolean matches() {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> "EdDSA";
        };
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(CHALLENGE);
            byte[] signed = signature.sign();
            signature.initVerify(certificate().getPublicKey());
            signature.update(CHALLENGE);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    X509Certificate certificate() {
        return chain.get(0);
    }

    /** Returns the host names of the certificate in lower case, which may begin with {@code *.}. */
    List<String> hosts() {
        try {
            Collection<List<?>> names = certificate().getSubjectAlternativeNames();
            return names == null
                    ? List.of()
                    : names.stream()
                            .filter(name -> name.get(0).equals(DNS_NAME))
                            .map(name -> ((String) name.get(1)).toLowerCase(Locale.ROOT))
                            .toList();
        } catch (CertificateParsingException e) {
            return List.of();
        }
    }

    CertificateStatus status(String setting, @Nullable String problem) {
        return new CertificateStatus(setting, hosts(), notAfter(), problem);
    }

    private Instant notAfter() {
        Instant first = certificate().getNotAfter().toInstant();
        for (X509Certificate authority : chain) {
            Instant end = authority.getNotAfter().toInstant();
            first = end.isBefore(first) ? end : first;
        }
        return first;
    }

    X509Certificate[] chainArray() {
        return chain.toArray(new X509Certificate[0]);
    }
}
