package io.weir.testing;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x509.TBSCertificate;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.asn1.x509.V3TBSCertificateGenerator;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.jspecify.annotations.Nullable;

/** An authority of certificates, made in memory. Thread-safe. */
public final class TestAuthority {

    private static final char[] PASSWORD = "password".toCharArray();
    private static final AlgorithmIdentifier SIGNING = new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256);
    private static final AtomicLong SERIALS = new AtomicLong(1);

    private final String name;
    private final KeyPair keys;
    private final X509Certificate certificate;

    /** Makes one with a certificate signed by itself. */
    public TestAuthority(String name) throws GeneralSecurityException, IOException {
        this.name = name;
        this.keys = ecKeys();
        this.certificate = sign(keys, name, validFor(Duration.ofDays(100)), true);
    }

    /** The time in which a certificate is valid. */
    public record Validity(Instant from, Instant to) {}

    /** From yesterday until so long from now, which may have passed. */
    public static Validity validFor(Duration time) {
        Instant now = Instant.now();
        return new Validity(now.minus(Duration.ofDays(50)), now.plus(time));
    }

    /** A certificate with its key. */
    public record Issued(X509Certificate certificate, X509Certificate authority, PrivateKey key) {

        /** The chain in PEM, without the authority's own. */
        public String chain() {
            return pem("CERTIFICATE", encoded(certificate));
        }

        public String keyPem() {
            return pem("PRIVATE KEY", key.getEncoded());
        }

        /** Replaces both files, each at once. */
        public void write(Path chainFile, Path keyFile) throws IOException {
            replace(keyFile, keyPem());
            replace(chainFile, chain());
        }

        private static void replace(Path file, String content) throws IOException {
            Path next = file.resolveSibling(file.getFileName() + ".next");
            Files.writeString(next, content);
            Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Issues a certificate for host names. */
    public Issued issue(String... hosts) throws GeneralSecurityException, IOException {
        return issue(ecKeys(), validFor(Duration.ofDays(30)), hosts);
    }

    /** Issues a certificate for host names that is valid in such a time. */
    public Issued issue(Validity validity, String... hosts) throws GeneralSecurityException, IOException {
        return issue(ecKeys(), validity, hosts);
    }

    /** Issues a certificate for a key. */
    public Issued issue(KeyPair subject, Validity validity, String... hosts)
            throws GeneralSecurityException, IOException {
        return new Issued(sign(subject, hosts[0], validity, false, hosts), certificate, subject.getPrivate());
    }

    private X509Certificate sign(KeyPair subject, String subjectName, Validity validity, boolean ca, String... hosts)
            throws GeneralSecurityException, IOException {
        V3TBSCertificateGenerator generator = new V3TBSCertificateGenerator();
        generator.setSerialNumber(new ASN1Integer(BigInteger.valueOf(SERIALS.getAndIncrement())));
        generator.setSignature(SIGNING);
        generator.setIssuer(new X500Name("CN=" + name));
        generator.setSubject(new X500Name("CN=" + subjectName.replace("*", "any")));
        generator.setStartDate(new Time(Date.from(validity.from())));
        generator.setEndDate(new Time(Date.from(validity.to())));
        generator.setSubjectPublicKeyInfo(
                SubjectPublicKeyInfo.getInstance(subject.getPublic().getEncoded()));
        List<Extension> extensions = new ArrayList<>();
        extensions.add(new Extension(Extension.basicConstraints, true, new BasicConstraints(ca).getEncoded()));
        if (hosts.length > 0) {
            GeneralName[] names = new GeneralName[hosts.length];
            for (int i = 0; i < hosts.length; i++) {
                boolean address = hosts[i].matches("[0-9.]+");
                names[i] = new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, hosts[i]);
            }
            extensions.add(
                    new Extension(Extension.subjectAlternativeName, false, new GeneralNames(names).getEncoded()));
        }
        generator.setExtensions(new Extensions(extensions.toArray(new Extension[0])));
        TBSCertificate content = generator.generateTBSCertificate();
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update(content.getEncoded());
        ASN1EncodableVector signed = new ASN1EncodableVector();
        signed.add(content);
        signed.add(SIGNING);
        signed.add(new DERBitString(signature.sign()));
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(new DERSequence(signed).getEncoded()));
    }

    /** The authority's own certificate, in PEM. */
    public String pem() {
        return pem("CERTIFICATE", encoded(certificate));
    }

    /** A context of clients that trust this authority alone. */
    public SSLContext trust() throws GeneralSecurityException, IOException {
        return context(null);
    }

    /** As above, for a client with a certificate. */
    public SSLContext trustWith(Issued client) throws GeneralSecurityException, IOException {
        return context(client);
    }

    /**
     * A socket, not yet bound, whose connections show a certificate.
     *
     * @param clients the authority of the certificates that clients must show; null if they need none
     */
    public static ServerSocket serverSocket(Issued own, @Nullable TestAuthority clients)
            throws GeneralSecurityException, IOException {
        TestAuthority trusted = clients == null ? new TestAuthority("Nobody") : clients;
        SSLServerSocket socket =
                (SSLServerSocket) trusted.context(own).getServerSocketFactory().createServerSocket();
        socket.setNeedClientAuth(clients != null);
        return socket;
    }

    /** A context for either side; servers need a certificate. */
    private SSLContext context(@Nullable Issued own) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("authority", certificate);
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
        KeyStore keyStore = KeyStore.getInstance("PKCS12");
        keyStore.load(null, null);
        if (own != null) {
            keyStore.setKeyEntry(
                    "own", own.key(), PASSWORD, new X509Certificate[] {own.certificate(), own.authority()});
        }
        managers.init(keyStore, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /** New keys on the curve P-256. */
    public static KeyPair ecKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    /** A block of a PEM file. */
    public static String pem(String type, byte[] content) {
        return "-----BEGIN " + type + "-----\n"
                + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                        .encodeToString(content)
                + "\n-----END " + type + "-----\n";
    }

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
