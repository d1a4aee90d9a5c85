package io.weir.upstream.link;

import static io.weir.testing.RawNode.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.testing.NoLeaks;
import io.weir.testing.RawNode;
import io.weir.testing.TestCertificate;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sockets to nodes behind TLS, with each of the implementations that may be there. */
@NoLeaks
class SocketTlsIT {

    private static final Answered ONE = new Answered(new RpcReply.Result(RawJson.of("1")));

    @TempDir
    private static Path folder;

    private static TestCertificate localhost;
    private static TestCertificate elsewhere;

    private final SocketBench bench = new SocketBench(1);
    private RawNode node;

    @BeforeAll
    static void makeCertificates() throws Exception {
        localhost = TestCertificate.of(folder, "localhost", "localhost");
        elsewhere = TestCertificate.of(folder, "elsewhere", "elsewhere.example");
    }

    @AfterEach
    void end() {
        bench.close();
        if (node != null) {
            node.close();
        }
    }

    private SocketNodeClient client(TestCertificate shown, TestCertificate trusted, SslProvider provider)
            throws Exception {
        Assumptions.assumeTrue(
                provider == SslProvider.JDK || OpenSsl.isAvailable(), "BoringSSL for this platform is not there");
        node = new RawNode(shown.serverSocket(), 0, connection -> {
            NodeSocket socket = NodeSocket.accept(connection);
            while (true) {
                socket.text(result(socket.read(), "1"));
            }
        });
        bench.trust = SslContextBuilder.forClient()
                .sslProvider(provider)
                .trustManager(trusted.certificate())
                .endpointIdentificationAlgorithm("HTTPS")
                .build();
        return bench.client("wss://localhost:" + node.port() + "/");
    }

    @ParameterizedTest
    @EnumSource(names = {"JDK", "OPENSSL"})
    void callsToATrustedNodeShareOneSecuredSocket(SslProvider provider) throws Exception {
        SocketNodeClient client = client(localhost, localhost, provider);
        List<CompletableFuture<NodeOutcome>> outcomes = bench.ask(client, 4, 60_000);
        assertThat(outcomes)
                .allSatisfy(outcome -> assertThat(SocketBench.get(outcome)).isEqualTo(ONE));
        assertThat(client.connects()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"JDK", "OPENSSL"})
    void aCertificateThatIsNotTrustedIsRefused(SslProvider provider) throws Exception {
        assertThat(bench.outcome(client(localhost, elsewhere, provider)))
                .isEqualTo(refused("the node's certificate is not trusted"));
    }

    @ParameterizedTest
    @EnumSource(names = {"JDK", "OPENSSL"})
    void aCertificateForAnotherNameIsRefused(SslProvider provider) throws Exception {
        assertThat(bench.outcome(client(elsewhere, elsewhere, provider)))
                .isEqualTo(refused("the node's certificate is for another host"));
    }

    private static Failed refused(String why) {
        return new Failed(Fault.CONNECT, Executed.NO, "the TLS handshake failed: " + why, 0);
    }
}
