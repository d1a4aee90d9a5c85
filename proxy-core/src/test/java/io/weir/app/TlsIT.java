package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.testing.Checkout;
import io.weir.testing.ChildProcess;
import io.weir.testing.ConfigurationText;
import io.weir.testing.Machine;
import io.weir.testing.NodeScript;
import io.weir.testing.TestAuthority;
import io.weir.testing.TestAuthority.Issued;
import io.weir.testing.WeirProcess;
import io.weir.tls.Fingerprint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Both listeners with TLS, as real clients and operators use them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TlsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_chainId\",\"params\":[]}";
    private static final String ANSWER = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"0x539\"}";

    private TestAuthority authority;
    private Issued operator;
    private BrokenNode node;
    private WeirProcess weir;
    private Path folder;
    private Path ca;

    @BeforeAll
    void begin(@TempDir Path created) throws Exception {
        folder = created;
        authority = new TestAuthority("Listener Authority");
        operator = new TestAuthority("Operators").issue("operator");
        ca = Files.writeString(folder.resolve("ca.pem"), authority.pem());
        renew("server");
        renew("admin");
        node = new BrokenNode();
        String block = ".tls { certificates.main { chain = \"%1$s/%2$s.pem\", key = \"%1$s/%2$s.key\" } }";
        weir = WeirProcess.start(ConfigurationText.of("net", "1337")
                .upstream("a", "http://127.0.0.1:" + node.port())
                .setting("server" + String.format(block, folder, "server"))
                .setting("admin" + String.format(block, folder, "admin"))
                .setting("admin.client-certificates = [\"" + Fingerprint.of(operator.certificate()) + "\"]")
                .text());
        await().atMost(PATIENCE)
                .until(() -> admin("/health/ready", authority.trust()).statusCode() == 200);
    }

    private Issued renew(String name) throws Exception {
        Issued issued = authority.issue("localhost", "127.0.0.1");
        issued.write(folder.resolve(name + ".pem"), folder.resolve(name + ".key"));
        return issued;
    }

    @AfterAll
    void end() {
        if (weir != null) {
            weir.close();
        }
        node.close();
    }

    private String https() {
        return "https://127.0.0.1:" + weir.port() + "/v3/demo";
    }

    private URI admin(String path) {
        return URI.create("https://127.0.0.1:" + weir.adminPort() + path);
    }

    private HttpResponse<String> admin(String path, SSLContext context) throws IOException, InterruptedException {
        return send(context, HttpRequest.newBuilder(admin(path)));
    }

    private static HttpResponse<String> send(SSLContext context, HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return HttpClient.newBuilder()
                .sslContext(context)
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static List<String> run(Map<String, String> environment, Path folder, List<String> command) {
        try (ChildProcess process = ChildProcess.start(command.get(0), folder, environment, command)) {
            assertThat(process.awaitExit(PATIENCE)).as(process.told()).isZero();
            return process.out();
        }
    }

    private List<String> curl(String... arguments) {
        Machine.assumeProgram("curl", "apt-get install curl");
        List<String> command = new ArrayList<>(List.of("curl", "-s", "-S", "-H", "content-type: application/json"));
        command.addAll(List.of("--cacert", ca.toString(), "-d", CALL));
        command.addAll(List.of(arguments));
        return run(Map.of(), folder, command);
    }

    @Test
    void curlCallsInBothVersionsAndByName() {
        assertThat(curl(https())).containsExactly(ANSWER);
        assertThat(curl("--tls-max", "1.2", https())).containsExactly(ANSWER);
        String host = "localhost:" + weir.port();
        assertThat(curl("--resolve", host + ":127.0.0.1", "https://" + host + "/v3/demo"))
                .containsExactly(ANSWER);
        assertThat(curl(https().replace("https", "http")))
                .containsExactly("TLS: missing (expected: https:// or wss:// on this port)");
    }

    @Test
    void ethersCallsOverHttpsAndWss() {
        NodeScript.require();
        String script = "import { JsonRpcProvider, WebSocketProvider } from 'ethers'\n"
                + "const http = new JsonRpcProvider('" + https() + "')\n"
                + "const socket = new WebSocketProvider('wss://127.0.0.1:" + weir.port() + "/ws/v3/demo')\n"
                + "console.log((await http.getNetwork()).chainId, (await socket.getNetwork()).chainId)\n"
                + "await socket.destroy()\nhttp.destroy()\n";
        Path npm = Checkout.find().root().resolve("proxy-core/src/test/npm");
        assertThat(run(
                        Map.of("NODE_EXTRA_CA_CERTS", ca.toString(), "NO_COLOR", "1"),
                        npm,
                        List.of("node", "--input-type=module", "-e", script)))
                .containsExactly("1337n 1337n");
    }

    @Test
    void anOperationNeedsAListedCertificate() throws Exception {
        assertThat(admin("/status", authority.trust()).statusCode()).isEqualTo(200);
        assertThat(admin("/changes", authority.trust()).statusCode()).isEqualTo(401);
        assertThat(admin("/changes", authority.trustWith(operator)).statusCode())
                .isEqualTo(200);
        Issued other = new TestAuthority("Operators").issue("operator");
        assertThatThrownBy(() -> admin("/changes", authority.trustWith(other))).isInstanceOf(IOException.class);
        await().atMost(PATIENCE)
                .until(() -> metrics()
                        .lines()
                        .anyMatch(line -> line.startsWith("weir_tls_handshakes_total{")
                                && line.contains("listener=\"admin\"")
                                && line.contains("outcome=\"failed\"")
                                && !line.endsWith(" 0")
                                && !line.endsWith(" 0.0")));
    }

    private String metrics() throws IOException, InterruptedException, java.security.GeneralSecurityException {
        return admin("/metrics", authority.trust()).body();
    }

    @Test
    void aRenewedCertificateIsSeenByItselfAndAWrongOneIsRefusedWithItsName() throws Exception {
        assertThat(metrics())
                .containsPattern("weir_tls_certificate_days\\{certificate=\"server.tls.certificates.main\".*} 29");
        Issued next = renew("server");
        await().atMost(PATIENCE.multipliedBy(2)).until(() -> shown().equals(next.certificate()));
        Files.writeString(folder.resolve("server.key"), "nonsense");
        String problem = "server.tls.certificates.main: " + folder.resolve("server.key") + ": no private key";
        reload();
        await().atMost(PATIENCE)
                .until(() -> admin("/status", authority.trust()).body().contains(problem));
        assertThat(shown()).isEqualTo(next.certificate());
        // It is counted and logged a moment after the status shows it.
        await().atMost(PATIENCE).until(() -> metrics().contains("weir_tls_rereads_total{outcome=\"refused\""));
        await().atMost(PATIENCE).until(() -> weir.process().told().contains(problem));
        Issued last = renew("server");
        reload();
        await().atMost(PATIENCE).until(() -> shown().equals(last.certificate()));
        await().atMost(PATIENCE)
                .until(() -> !admin("/status", authority.trust()).body().contains(problem));
    }

    private void reload() throws Exception {
        send(
                authority.trustWith(operator),
                HttpRequest.newBuilder(admin("/reload")).POST(HttpRequest.BodyPublishers.noBody()));
    }

    private X509Certificate shown() throws Exception {
        try (SSLSocket socket =
                (SSLSocket) authority.trust().getSocketFactory().createSocket("127.0.0.1", weir.port())) {
            socket.startHandshake();
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    @Test
    void theReadyLineNamesTheScheme() {
        assertThat(String.join("\n", weir.process().out()))
                .contains("JSON-RPC at https://127.0.0.1:" + weir.port())
                .contains("admin at https://127.0.0.1:" + weir.adminPort());
    }
}
