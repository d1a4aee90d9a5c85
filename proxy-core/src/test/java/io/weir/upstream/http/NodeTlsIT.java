package io.weir.upstream.http;

import static io.weir.upstream.wire.RawNode.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.testing.NoLeaks;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.wire.RawNode;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nodes behind TLS: whom the client trusts. */
@ExtendWith(NoLeaks.class)
class NodeTlsIT {

    private static final char[] PASSWORD = "password".toCharArray();
    private static final Answered ONE = new Answered(new RpcReply.Result(RawJson.of("1")));
    private static final Failed REFUSED = new Failed(Fault.CONNECT, Executed.NO, "the TLS handshake failed", 0);

    @TempDir
    private static Path folder;

    private static KeyStore localhost;
    private static KeyStore elsewhere;

    private final ClientBench bench = new ClientBench(1);
    private final List<RawNode> nodes = new ArrayList<>();

    @BeforeAll
    static void makeCertificates() throws Exception {
        localhost = certificate("localhost", "SAN=dns:localhost");
        elsewhere = certificate("elsewhere", "SAN=dns:elsewhere.example");
    }

    /** A new key and its self-signed certificate, made by the JDK's own tool. */
    private static KeyStore certificate(String name, String san) throws Exception {
        Path file = folder.resolve(name + ".p12");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-alias", "node", "-dname", "CN=" + name, "-ext", san));
        command.addAll(List.of("-storetype", "PKCS12", "-keystore", file.toString(), "-storepass", "password"));
        Process keytool = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".out").toFile())
                .start();
        assertThat(keytool.waitFor()).as("keytool's exit code").isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return store;
    }

    @AfterEach
    void end() {
        bench.close();
        nodes.forEach(RawNode::close);
    }

    private String node(KeyStore keys) throws Exception {
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        ServerSocket server = context.getServerSocketFactory().createServerSocket();
        RawNode node = new RawNode(server, 0, connection -> {
            while (true) {
                connection.answer("200 OK", result(connection.read(), "1"));
            }
        });
        nodes.add(node);
        return "https://localhost:" + node.port();
    }

    private static SslContext trust(KeyStore keys, SslProvider provider) throws Exception {
        return SslContextBuilder.forClient()
                .sslProvider(provider)
                .trustManager((X509Certificate) keys.getCertificate("node"))
                .endpointIdentificationAlgorithm("HTTPS")
                .build();
    }

    @ParameterizedTest
    @EnumSource(names = {"JDK", "OPENSSL"})
    void aTrustedNodeIsAskedOverOneConnection(SslProvider provider) throws Exception {
        Assumptions.assumeTrue(
                provider == SslProvider.JDK || OpenSsl.isAvailable(), "BoringSSL for this platform is not there");
        bench.trust = trust(localhost, provider);
        HttpNodeClient client = bench.client(node(localhost));
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(client.connects()).isEqualTo(1);
    }

    @Test
    void aCertificateThatTheSystemDoesNotTrustIsRefused() throws Exception {
        assertThat(bench.outcome(bench.client(node(localhost)))).isEqualTo(REFUSED);
    }

    @Test
    void aCertificateForAnotherNameIsRefused() throws Exception {
        bench.trust = trust(elsewhere, SslProvider.JDK);
        assertThat(bench.outcome(bench.client(node(elsewhere)))).isEqualTo(REFUSED);
    }

    @Test
    void aNodeThatDoesNotSpeakTlsIsRefused() throws Exception {
        RawNode plain = new RawNode(connection -> connection.answer("200 OK", ""));
        nodes.add(plain);
        assertThat(bench.outcome(bench.client("https://localhost:" + plain.port())))
                .isEqualTo(REFUSED);
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
