package io.weir.upstream.link;

import static io.weir.testing.RawNode.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.testing.NoLeaks;
import io.weir.testing.RawNode;
import io.weir.testing.TestCertificate;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nodes behind TLS: the client's trust. */
@NoLeaks
class NodeTlsIT {

    private static final Answered ONE = new Answered(new RpcReply.Result(RawJson.of("1")));

    @TempDir
    private static Path folder;

    private static TestCertificate localhost;
    private static TestCertificate elsewhere;

    private final ClientBench bench = new ClientBench(1);
    private final List<RawNode> nodes = new ArrayList<>();

    @BeforeAll
    static void makeCertificates() throws Exception {
        localhost = TestCertificate.of(folder, "localhost", "localhost");
        elsewhere = TestCertificate.of(folder, "elsewhere", "elsewhere.example");
    }

    @AfterEach
    void end() {
        bench.close();
        nodes.forEach(RawNode::close);
    }

    private String node(TestCertificate certificate) throws Exception {
        RawNode node = new RawNode(certificate.serverSocket(), 0, connection -> {
            while (true) {
                connection.answer("200 OK", result(connection.read(), "1"));
            }
        });
        nodes.add(node);
        return "https://localhost:" + node.port();
    }

    private static SslContext trust(TestCertificate trusted, SslProvider provider) throws Exception {
        Assumptions.assumeTrue(
                provider == SslProvider.JDK || OpenSsl.isAvailable(), "BoringSSL for this platform is not there");
        return SslContextBuilder.forClient()
                .sslProvider(provider)
                .trustManager(trusted.certificate())
                .endpointIdentificationAlgorithm("HTTPS")
                .build();
    }

    private static Failed refused(String why) {
        return new Failed(Fault.CONNECT, Executed.NO, "the TLS handshake failed: " + why, 0);
    }

    @ParameterizedTest
    @EnumSource(names = {"JDK", "OPENSSL"})
    void aTrustedNodeIsAskedOverOneConnection(SslProvider provider) throws Exception {
        bench.trust = trust(localhost, provider);
        SocketNodeClient client = bench.client(node(localhost));
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(client.connects()).isEqualTo(1);
    }

    @Test
    void aCertificateThatTheSystemDoesNotTrustIsRefused() throws Exception {
        assertThat(bench.outcome(bench.client(node(localhost))))
                .isEqualTo(refused("the node's certificate is not trusted"));
    }

    @ParameterizedTest
    @EnumSource(names = {"JDK", "OPENSSL"})
    void aCertificateThatIsNotAmongTheTrustedIsRefused(SslProvider provider) throws Exception {
        bench.trust = trust(elsewhere, provider);
        assertThat(bench.outcome(bench.client(node(localhost))))
                .isEqualTo(refused("the node's certificate is not trusted"));
    }

    @ParameterizedTest
    @EnumSource(names = {"JDK", "OPENSSL"})
    void aCertificateForAnotherNameIsRefused(SslProvider provider) throws Exception {
        bench.trust = trust(elsewhere, provider);
        assertThat(bench.outcome(bench.client(node(elsewhere))))
                .isEqualTo(refused("the node's certificate is for another host"));
    }

    @Test
    void aNodeThatDoesNotSpeakTlsIsRefused() throws Exception {
        RawNode plain = new RawNode(connection -> connection.answer("200 OK", ""));
        nodes.add(plain);
        assertThat(bench.outcome(bench.client("https://localhost:" + plain.port())))
                .isEqualTo(refused("the node does not speak TLS"));
    }

    @Test
    void aHandshakeThatDoesNotEndIsGivenUpInTime() throws Exception {
        bench.connectTimeoutMillis = 200;
        RawNode silent = new RawNode(connection -> connection.read());
        nodes.add(silent);
        assertThat(bench.outcome(bench.client("https://localhost:" + silent.port())))
                .isEqualTo(new Failed(Fault.CONNECT, Executed.NO, "no connection in time", 0));
    }
}
