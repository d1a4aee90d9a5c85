package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.TestAuthority;
import io.weir.testing.TestAuthority.Issued;
import io.weir.testing.WeirProcess;
import java.net.ServerSocket;
import java.nio.file.Files;
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
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes whose certificates come from an authority in a file, and nodes that ask for the proxy's own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class NodeCertificatesIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<BrokenNode> nodes = new ArrayList<>();
    private WeirProcess weir;

    @BeforeAll
    void begin(@TempDir Path folder) throws Exception {
        TestAuthority authority = new TestAuthority("Node Authority");
        TestAuthority clients = new TestAuthority("Proxy Authority");
        Files.writeString(folder.resolve("ca.pem"), authority.pem());
        clients.issue("weir").write(folder.resolve("weir.pem"), folder.resolve("weir.key"));
        Issued own = authority.issue("localhost");
        Issued elsewhere = authority.issue("elsewhere.test");
        String ca = "ca = \"" + folder + "/ca.pem\"";
        String shown = ca + ", certificate = \"" + folder + "/weir.pem\", key = \"" + folder + "/weir.key\"";
        ConfigurationText configuration = ConfigurationText.of("net", "1337")
                .setting("server.threads = 1")
                .networkSetting("health.interval = 250 ms");
        add(configuration, "private", TestAuthority.serverSocket(own, null), ca);
        add(configuration, "mutual", TestAuthority.serverSocket(own, clients), shown);
        add(configuration, "unshown", TestAuthority.serverSocket(own, clients), ca);
        add(configuration, "unknown", TestAuthority.serverSocket(own, null), "");
        add(configuration, "elsewhere", TestAuthority.serverSocket(elsewhere, null), ca);
        add(
                configuration,
                "insecure",
                TestAuthority.serverSocket(elsewhere, null),
                "insecure-accept-any-certificate = true");
        weir = WeirProcess.start(configuration.text());
    }

    private void add(ConfigurationText configuration, String id, ServerSocket socket, String tls) throws Exception {
        BrokenNode node = new BrokenNode(socket);
        nodes.add(node);
        String address = "localhost:" + node.port();
        configuration.networkSetting(
                "upstreams.https-" + id + " { url = \"https://" + address + "\", tls { " + tls + " } }");
        configuration.networkSetting(
                "upstreams.wss-" + id + " { ws-url = \"wss://" + address + "\", tls { " + tls + " } }");
    }

    @AfterAll
    void end() {
        if (weir != null) {
            weir.close();
        }
        nodes.forEach(BrokenNode::close);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"https-private", "wss-private", "https-mutual", "wss-mutual", "https-insecure", "wss-insecure"})
    void aNodeIsUsedByItsFiles(String id) {
        await().atMost(PATIENCE).until(() -> weir.admin().health("net", id).equals("healthy"));
    }

    @ParameterizedTest
    @CsvSource({
        "https-unknown,   the TLS handshake failed: the node's certificate is not trusted",
        "wss-unknown,     the TLS handshake failed: the node's certificate is not trusted",
        "https-elsewhere, the TLS handshake failed: the node's certificate is for another host",
        "wss-elsewhere,   the TLS handshake failed: the node's certificate is for another host",
    })
    void aNodeWhoseCertificateDoesNotMatchIsOutAndTheReasonIsShown(String id, String detail) {
        await().atMost(PATIENCE).until(() -> weir.admin().health("net", id).equals("down"));
        assertThat(weir.admin().detail("net", id)).isEqualTo(detail);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https-unshown", "wss-unshown"})
    void aNodeThatMissesTheProxysCertificateIsOut(String id) {
        await().atMost(PATIENCE).until(() -> weir.admin().health("net", id).equals("down"));
    }

    @Test
    void aNodeWithoutChecksIsSaidInTheLogAndInTheStatus() {
        String setting = "networks.net.upstreams.https-insecure.tls.insecure-accept-any-certificate: true";
        // Another thread reads the log than the one that reads the line by which the start is known.
        await().atMost(PATIENCE).until(() -> weir.process().told().contains(setting));
        String status = JsonRpcClient.get("http://127.0.0.1:" + weir.adminPort() + "/status")
                .body();
        String warning = "any certificate of the node is accepted (insecure-accept-any-certificate)";
        assertThat(status.split(java.util.regex.Pattern.quote(warning), -1)).hasSize(3);
        assertThat(status).contains("\"networks.net.upstreams.https-mutual.tls\"");
    }
}
