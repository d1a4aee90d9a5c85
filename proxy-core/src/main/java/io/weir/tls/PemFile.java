package io.weir.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.RSAPrivateKey;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/** The content of a PEM file at one time. Immutable. */
record PemFile(Path path, byte[] content) {

    private static final int MAX_BYTES = 1 << 20;
    private static final Pattern KEY = Pattern.compile(
            "-----BEGIN ([A-Z]+ )?PRIVATE KEY-----\\s([A-Za-z0-9+/=\\s]+)-----END ([A-Z]+ )?PRIVATE KEY-----");
    private static final String KEY_RULE = "one private key in PEM without a passphrase";
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    static PemFile read(Path path) throws TlsFileException {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] content = in.readNBytes(MAX_BYTES + 1);
            if (content.length > MAX_BYTES) {
                throw new TlsFileException(path, "more than 1 MiB", "a PEM file");
            }
            return new PemFile(path, content);
        } catch (IOException e) {
            throw new TlsFileException(
                    path, Files.exists(path) ? "cannot be read" : "no such file", "a PEM file that the proxy can read");
        }
    }

    /** Returns the certificates, in the order of the file; at least one. */
    List<X509Certificate> certificates() throws TlsFileException {
        List<X509Certificate> certificates;
        try {
            certificates =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(content))
                            .stream()
                            .map(X509Certificate.class::cast)
                            .toList();
        } catch (CertificateException e) {
            throw new TlsFileException(path, "not a certificate", "certificates in PEM");
        }
        if (certificates.isEmpty()) {
            throw new TlsFileException(path, "no certificate", "certificates in PEM");
        }
        return certificates;
    }

    PrivateKey key() throws TlsFileException {
        Matcher block = KEY.matcher(new String(content, ISO_8859_1));
        if (!block.find()) {
            throw new TlsFileException(path, "no private key", KEY_RULE);
        }
        String form = block.group(1) == null ? "" : block.group(1).strip();
        if (form.equals("ENCRYPTED")) {
            throw new TlsFileException(path, "a private key with a passphrase", KEY_RULE);
        }
        byte[] encoded;
        try {
            encoded = pkcs8(form, Base64.getMimeDecoder().decode(block.group(2)));
        } catch (IllegalArgumentException | IOException e) {
            throw new TlsFileException(path, "a damaged private key", KEY_RULE);
        }
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
            } catch (GeneralSecurityException e) {
                // A key of another algorithm.
            }
        }
        throw new TlsFileException(path, "a private key that cannot be used", "a key of RSA, EC or EdDSA");
    }

    /** Returns a key in the form PKCS #8, also if older programs wrote it in the form of its algorithm. */
    private static byte[] pkcs8(String form, byte[] der) throws IOException {
        return switch (form) {
            case "RSA" ->
                new PrivateKeyInfo(
                                new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE),
                                RSAPrivateKey.getInstance(der))
                        .getEncoded();
            case "EC" -> {
                ECPrivateKey key = ECPrivateKey.getInstance(der);
                yield new PrivateKeyInfo(
                                new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, key.getParametersObject()),
                                key)
                        .getEncoded();
            }
            default -> der;
        };
    }

    @Override
    public String toString() {
        return "PemFile[" + path + "]";
    }
}
