package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.TestCertificate;
import io.weir.testing.WeirProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes by {@code https} and {@code wss}, before a proxy whose JVM trusts the operator's certificates. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class NodesBehindTlsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<BrokenNode> nodes = new ArrayList<>();
    private WeirProcess weir;

    @BeforeAll
    void begin(@TempDir Path folder) throws Exception {
        TestCertificate known = TestCertificate.of(folder, "known", "localhost");
        TestCertificate elsewhere = TestCertificate.of(folder, "elsewhere", "elsewhere.example");
        TestCertificate unknown = TestCertificate.of(folder, "unknown", "localhost");
        ConfigurationText configuration = ConfigurationText.of("net", "1337")
                .setting("server.threads = 1")
                .networkSetting("health.interval = 250 ms");
        addNode(configuration, "known", known);
        addNode(configuration, "elsewhere", elsewhere);
        addNode(configuration, "unknown", unknown);
        weir = WeirProcess.start(
                TestCertificate.trustFlags(folder.resolve("trusted.p12"), known, elsewhere), configuration.text());
    }

    private void addNode(ConfigurationText configuration, String id, TestCertificate certificate) throws Exception {
        BrokenNode node = new BrokenNode(certificate.serverSocket());
        nodes.add(node);
        String host = "localhost:" + node.port() + "/secret";
        configuration.networkSetting("upstreams.https-" + id + ".url = \"https://" + host + "\"");
        configuration.networkSetting("upstreams.wss-" + id + ".ws-url = \"wss://" + host + "\"");
    }

    @AfterAll
    void end() {
        if (weir != null) {
            weir.close();
        }
        nodes.forEach(BrokenNode::close);
    }

    @ParameterizedTest
    @CsvSource({"https-known", "wss-known"})
    void aNodeWithATrustedCertificateIsUsed(String id) {
        await().atMost(PATIENCE).until(() -> weir.admin().health("net", id).equals("healthy"));
        JsonRpcClient client = new JsonRpcClient(weir.url());
        await().atMost(PATIENCE).until(() -> {
            assertThat(client.post(JsonRpcClient.call("trace_get", "well")).statusCode())
                    .isEqualTo(200);
            return weir.admin().metric("weir_upstream_calls_total", "upstream=\"" + id + "\"") > 0;
        });
    }

    @ParameterizedTest
    @CsvSource({
        "https-elsewhere, the node's certificate is for another host",
        "wss-elsewhere,   the node's certificate is for another host",
        "https-unknown,   the node's certificate is not trusted",
        "wss-unknown,     the node's certificate is not trusted",
    })
    void aNodeWithAForeignOrUntrustedCertificateIsOutAndTheReasonIsShown(String id, String why) {
        String detail = "the TLS handshake failed: " + why;
        await().atMost(PATIENCE).until(() -> weir.admin().health("net", id).equals("down"));
        await().atMost(PATIENCE).until(() -> weir.admin().detail("net", id).equals(detail));
        String line = "upstream " + id + " of network net is out (down): " + detail;
        // On a busy machine the first reason may be a handshake that takes too long; the next has its line a minute
        // later.
        await().atMost(PATIENCE.multipliedBy(3))
                .until(() -> weir.process().out().stream().anyMatch(one -> one.endsWith(line))
                        || weir.process().err().stream().anyMatch(one -> one.endsWith(line)));
        assertThat(weir.admin().metric("weir_upstream_calls_total", "upstream=\"" + id + "\"", "outcome=\"ok\""))
                .isZero();
    }

    @Test
    void noAddressIsLogged() {
        await().atMost(PATIENCE)
                .until(() -> weir.admin().health("net", "wss-unknown").equals("down"));
        assertThat(weir.process().told()).doesNotContain("/secret", "elsewhere.example");
    }
}
