package io.weir.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.SslContext;
import io.weir.config.TlsConfig;
import io.weir.config.TlsConfig.KeyFiles;
import io.weir.testing.TestAuthority;
import io.weir.testing.TestAuthority.Issued;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of certificates: their checks, their choice by host, and what a renewed file changes. */
class ServerCertificatesTest {

    @TempDir
    private Path folder;

    private final Map<String, KeyFiles> files = new LinkedHashMap<>();
    private TestAuthority authority;
    private Path chain;
    private Path key;

    @BeforeEach
    void begin() throws Exception {
        authority = new TestAuthority("Test Authority");
        chain = folder.resolve("main.pem");
        key = folder.resolve("main.key");
        add("main", authority.issue("main.test"));
    }

    private void add(String name, Issued issued) throws IOException {
        KeyFiles own = new KeyFiles(folder.resolve(name + ".pem"), folder.resolve(name + ".key"));
        issued.write(own.chain(), own.key());
        files.put(name, own);
    }

    private ServerCertificates read() throws TlsFileException {
        return read(null);
    }

    private ServerCertificates read(@Nullable Path clientCa) throws TlsFileException {
        TlsConfig config = new TlsConfig(files, TlsConfig.protocols(false), clientCa);
        return new ServerCertificates("server.tls", config, Set.of(), false, Clock.systemUTC());
    }

    private String refusal() {
        try {
            read();
            return "none";
        } catch (TlsFileException e) {
            return e.getMessage();
        }
    }

    @Test
    void aHostGetsTheCertificateThatNamesIt() throws Exception {
        add("side", authority.issue("side.test", "*.side.test"));
        ServerCertificates certificates = read();
        SslContext main = certificates.map("main.test");
        SslContext side = certificates.map("side.test");
        assertThat(side).isNotSameAs(main);
        assertThat(certificates.map("a.side.test")).isSameAs(side);
        assertThat(certificates.map("a.b.side.test")).isSameAs(main);
        assertThat(certificates.map("unknown.test")).isSameAs(main);
        assertThat(certificates.map(null)).isSameAs(main);
        assertThat(certificates.covers("a.side.test")).isTrue();
        assertThat(certificates.covers("unknown.test")).isFalse();
    }

    @Test
    void aRenewedPairIsUsed() throws Exception {
        ServerCertificates certificates = read();
        SslContext before = certificates.map("main.test");
        assertThat(certificates.reread()).isEqualTo(new CertificateSource.Look(List.of(), List.of()));
        assertThat(certificates.map("main.test")).isSameAs(before);
        authority.issue("main.test", "more.test").write(chain, key);
        assertThat(certificates.reread().renewed()).containsExactly("server.tls.certificates.main");
        assertThat(certificates.map("more.test"))
                .isSameAs(certificates.map("main.test"))
                .isNotSameAs(before);
        assertThat(certificates.status().get(0).hosts()).containsExactly("main.test", "more.test");
    }

    @Test
    void aRenewedAuthorityOfClientsIsUsed() throws Exception {
        Path clientCa = Files.writeString(folder.resolve("clients.pem"), authority.pem());
        ServerCertificates certificates = read(clientCa);
        SslContext before = certificates.map("main.test");
        Files.writeString(clientCa, new TestAuthority("Other").pem());
        assertThat(certificates.reread().renewed()).containsExactly("server.tls.certificates.main");
        assertThat(certificates.map("main.test")).isNotSameAs(before);
    }

    @Test
    void aHostWithoutADotGetsTheFirstCertificate() throws Exception {
        ServerCertificates certificates = read();
        assertThat(certificates.map("localhost")).isSameAs(certificates.map("main.test"));
        assertThat(certificates.covers("localhost")).isFalse();
    }

    @Test
    void aHalfWrittenPairIsRefusedOnceAndUsedWhenWhole() throws Exception {
        ServerCertificates certificates = read();
        SslContext before = certificates.map("main.test");
        Issued next = authority.issue("main.test");
        Files.writeString(chain, next.chain());
        String problem =
                "server.tls.certificates.main: " + key + ": a key of another certificate than the first one in " + chain
                        + " (expected: the key of that certificate)";
        assertThat(certificates.reread().problems()).containsExactly(problem);
        assertThat(certificates.reread().problems()).isEmpty();
        assertThat(certificates.status().get(0).problem()).isEqualTo(problem);
        assertThat(certificates.map("main.test")).isSameAs(before);
        Files.writeString(key, next.keyPem());
        assertThat(certificates.reread().renewed()).hasSize(1);
        assertThat(certificates.status().get(0).problem()).isNull();
    }

    @Test
    void oneWrongCertificateDoesNotHoldUpAnother() throws Exception {
        add("side", authority.issue("side.test"));
        ServerCertificates certificates = read();
        SslContext side = certificates.map("side.test");
        Files.delete(chain);
        authority.issue("side.test").write(folder.resolve("side.pem"), folder.resolve("side.key"));
        assertThat(certificates.reread())
                .isEqualTo(new CertificateSource.Look(
                        List.of("server.tls.certificates.side"),
                        List.of("server.tls.certificates.main: " + chain
                                + ": no such file (expected: a PEM file that the proxy can read)")));
        assertThat(certificates.map("side.test")).isNotSameAs(side);
    }

    @Test
    void anExpiredCertificateIsRefusedWithTheTime() throws Exception {
        Issued expired = authority.issue(TestAuthority.validFor(Duration.ofSeconds(-5)), "main.test");
        expired.write(chain, key);
        Instant end = expired.certificate().getNotAfter().toInstant();
        assertThat(refusal())
                .isEqualTo(
                        chain + ": certificate 1 expired at " + end + " (expected: certificates that are valid now)");
    }

    @Test
    void aCertificateThatIsNotValidYetIsRefused() throws Exception {
        Instant later = Instant.now().plus(Duration.ofHours(1));
        authority
                .issue(new TestAuthority.Validity(later, later.plusSeconds(60)), "main.test")
                .write(chain, key);
        assertThat(refusal()).startsWith(chain + ": certificate 1 is valid only from ");
    }

    @Test
    void aChainInTheWrongOrderIsRefused() throws Exception {
        Files.writeString(chain, authority.issue("main.test").chain() + new TestAuthority("Other").pem());
        assertThat(refusal())
                .isEqualTo(chain
                        + ": certificate 2 did not sign certificate 1 (expected: the listener's certificate first,"
                        + " each signed by the next)");
    }

    @Test
    void aChainMayEndWithItsAuthority() throws Exception {
        Files.writeString(chain, Files.readString(chain) + authority.pem());
        assertThat(refusal()).isEqualTo("none");
    }

    @Test
    void filesOfAnotherKindAreRefused() throws Exception {
        String certificate = Files.readString(chain);
        String privateKey = Files.readString(key);
        Files.writeString(chain, "nonsense");
        assertThat(refusal()).startsWith(chain + ": ").endsWith("(expected: certificates in PEM)");
        Files.writeString(chain, "");
        assertThat(refusal()).isEqualTo(chain + ": no certificate (expected: certificates in PEM)");
        Files.writeString(chain, certificate);
        Files.writeString(key, certificate);
        assertThat(refusal())
                .isEqualTo(key + ": no private key (expected: one private key in PEM without a passphrase)");
        Files.writeString(key, privateKey.replace("PRIVATE", "ENCRYPTED PRIVATE"));
        assertThat(refusal())
                .isEqualTo(key
                        + ": a private key with a passphrase (expected: one private key in PEM without a passphrase)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC"})
    void keysInTheOlderFormOfTheirAlgorithmAreRead(String algorithm) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(algorithm.equals("RSA") ? 2048 : 256);
        KeyPair keys = generator.generateKeyPair();
        authority
                .issue(keys, TestAuthority.validFor(Duration.ofDays(1)), "main.test")
                .write(chain, key);
        PrivateKeyInfo info = PrivateKeyInfo.getInstance(keys.getPrivate().getEncoded());
        byte[] older = info.parsePrivateKey().toASN1Primitive().getEncoded();
        if (algorithm.equals("EC")) {
            // As openssl writes it: with the curve, which PKCS #8 names outside.
            older = new org.bouncycastle.asn1.sec.ECPrivateKey(
                            256,
                            org.bouncycastle.asn1.sec.ECPrivateKey.getInstance(info.parsePrivateKey())
                                    .getKey(),
                            info.getPrivateKeyAlgorithm().getParameters())
                    .getEncoded();
        }
        Files.writeString(key, TestAuthority.pem(algorithm + " PRIVATE KEY", older));
        assertThat(refusal()).isEqualTo("none");
    }
}
