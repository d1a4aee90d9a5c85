package io.weir.config.load;

import static io.weir.config.load.TextConfig.NETWORK;
import static io.weir.config.load.TextConfig.load;
import static io.weir.config.load.TextConfig.rules;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.TlsConfig;
import io.weir.config.TlsConfig.KeyFiles;
import io.weir.config.UpstreamTlsConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TlsConfigTest {

    private static final String NODE = "networks.a.upstreams.n.tls.";

    @Test
    void withoutCertificatesThereIsNoTls() {
        assertThat(load(NETWORK).server().tls()).isEqualTo(TlsConfig.OFF);
        assertThat(load(NETWORK).admin().tls().enabled()).isFalse();
    }

    @Test
    void everySettingOfAListenerIsMapped() {
        TlsConfig read = load(NETWORK + """
                server.tls {
                  certificates { rpc { chain = /rpc.pem, key = /rpc.key }, other { chain = /o.pem, key = /o.key } }
                  min-version = "1.3", client-ca = /clients.pem
                }
                """).server().tls();
        assertThat(read)
                .isEqualTo(new TlsConfig(
                        Map.of(
                                "rpc", new KeyFiles(Path.of("/rpc.pem"), Path.of("/rpc.key")),
                                "other", new KeyFiles(Path.of("/o.pem"), Path.of("/o.key"))),
                        List.of("TLSv1.3"),
                        Path.of("/clients.pem")));
        assertThat(read.certificates().keySet()).containsExactly("rpc", "other");
    }

    @Test
    void fingerprintsAreReadAsOpensslPrintsThem() {
        String printed = "AB:".repeat(31) + "CD";
        assertThat(load(NETWORK + "admin { client-certificates = [\"" + printed
                                + "\"], tls.certificates.a { chain = a, key = b } }")
                        .admin()
                        .clientCertificates())
                .containsExactly("ab".repeat(31) + "cd");
    }

    @Test
    void everySettingOfANodeIsMapped() {
        assertThat(load("networks.a { chain-id = 1, upstreams.n { url = \"https://node\""
                                + ", tls { ca = /ca.pem, certificate = /c.pem, key = /c.key } } }")
                        .networks()
                        .get("a")
                        .upstreams()
                        .get("n")
                        .tls())
                .isEqualTo(new UpstreamTlsConfig(Path.of("/ca.pem"), Path.of("/c.pem"), Path.of("/c.key"), false));
    }

    @Test
    void anyCertificateIsAcceptedIfTheNodesAddressAsksForTls() {
        String node = "upstreams.n { ws-url = \"wss://node\", tls.insecure-accept-any-certificate = true }";
        assertThat(load("networks.a { chain-id = 1, " + node + " }")
                        .networks()
                        .get("a")
                        .upstreams()
                        .get("n")
                        .tls()
                        .acceptAnyCertificate())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        server.tls.client-ca = a.pem                              | null without tls.certificates
        server.tls.certificates.a { chain = a }                   | the path of a PEM file
        server.tls.certificates."a b" { chain = a, key = b }      | a name of letters
        server.tls.min-version = "1.1"                            | one of 1.2, 1.3
        admin.client-certificates = ["ab"]                        | the SHA-256 fingerprint of a certificate
        networks.a.upstreams.n.tls.ca = a.pem                     | an address of the node with https://
        networks.a.upstreams.n.tls.certificate = a.pem            | certificate and key together
        networks.a.upstreams.n.tls.insecure-accept-any-certificate = true | an address of the node with https://
        networks.a.upstreams.n { url = "https://node", tls { ca = a.pem, insecure-accept-any-certificate = true } } | null beside insecure
        """)
    void wrongSettingsAreRefusedWithTheRule(String line, String rule) {
        assertThat(rules(line)).anySatisfy(problem -> assertThat(problem).contains(rule));
    }

    @Test
    void insecureIsRefusedUnlessSpelledOut() {
        assertThat(rules(NODE + "insecure = true")).isNotEmpty();
        assertThat(rules(NODE + "verify = false")).isNotEmpty();
        assertThat(rules("server.tls.verify = false")).isNotEmpty();
        assertThat(rules("server.tls.certificates.a { chain = a, key = b, verify = false }"))
                .isNotEmpty();
    }
}
