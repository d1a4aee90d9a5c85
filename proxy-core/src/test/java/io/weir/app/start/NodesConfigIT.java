package io.weir.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import io.weir.testing.AnvilNode;
import io.weir.testing.FreePorts;
import io.weir.testing.RawNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The configuration that follows from the URLs of nodes, and every reason for which there is none. */
class NodesConfigIT {

    private static final String NO_URL = "--node: not a URL (expected: http://HOST:PORT, https://…, ws://… or wss://…)";

    private final List<HttpServer> servers = new ArrayList<>();

    @AfterEach
    void stop() {
        servers.forEach(server -> server.stop(0));
    }

    /** Starts a node that answers everything with one body. */
    private String node(int status, String body) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        servers.add(server);
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private String node(String chainId) throws IOException {
        return node(200, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"" + chainId + "\"}");
    }

    private static List<String> problems(String... urls) {
        return catchThrowableOfType(StartupException.class, () -> NodesConfig.of(List.of(urls)))
                .problems();
    }

    @Test
    void nodesOfAKnownChainGetItsPreset() throws Exception {
        String one = node("0x2105");
        String other = node("0x2105");

        assertThat(NodesConfig.of(List.of(one, other + "/v2/key"))).isEqualTo("""
                networks.base {
                  preset = base
                  upstreams.node-1 { url = "%s" }
                  upstreams.node-2 { url = "%s/v2/key" }
                }
                # No key is needed. Before server.host is an address that other machines reach, give access.keys in place of this line.
                access.anonymous = true
                plugins.path = []
                """.formatted(one, other));
    }

    @Test
    void anotherChainIsNamedByItsId() throws Exception {
        assertThat(NodesConfig.of(List.of(node("0x3039")))).startsWith("networks.chain-12345 {\n  chain-id = 12345\n");
    }

    @Test
    void aWebSocketBehindAnHttpAddressOfItsHostIsOfTheSameNode() throws Exception {
        try (AnvilNode anvil = AnvilNode.start()) {
            String socket = "ws://127.0.0.1:" + anvil.port();

            assertThat(NodesConfig.of(List.of(anvil.url(), socket)))
                    .contains("  upstreams.node-1 { url = \"" + anvil.url() + "\", ws-url = \"" + socket + "\" }\n}");
            assertThat(NodesConfig.of(List.of(socket, anvil.url())))
                    .contains("  upstreams.node-1 { ws-url = \"" + socket + "\" }\n")
                    .contains("  upstreams.node-2 { url = \"" + anvil.url() + "\" }\n");
        }
    }

    @Test
    void nodesOfTwoChainsAreNamedWithTheirChains() throws Exception {
        String one = node("0x1");
        String other = node("0xa");

        assertThat(problems(one, other))
                .containsExactly(
                        "--node " + one + ": chain id 1 (expected: nodes of one chain)",
                        "--node " + other + ": chain id 10 (expected: nodes of one chain)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "401 | no                                                        | HTTP 401",
                "200 | <html>                                                    | no JSON-RPC answer",
                "200 | ''                                                        | no JSON-RPC answer",
                "200 | {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":7}              | no JSON-RPC answer",
                "200 | {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"one\"}        | no JSON-RPC answer",
                "200 | {\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601}} | error -32601",
            })
    void aNodeThatDoesNotSayItsChainIsAProblem(int status, String body, String seen) throws Exception {
        String url = node(status, body);

        assertThat(problems(url))
                .containsExactly("--node " + url + ": " + seen + " (expected: an answer to eth_chainId within 5 s)");
    }

    @Test
    void everyProblemIsToldAtOnceWithoutWhatMayBeACredential() throws Exception {
        int free = FreePorts.next();

        assertThat(problems(
                        "http://user:secret@127.0.0.1:" + free + "/v2/key?token=x",
                        "ws://127.0.0.1:" + free,
                        "localhost:8545",
                        "http://127.0.0.1:99999",
                        "http://127.0.0.1:1/#secret",
                        "ftp://127.0.0.1/secret"))
                .containsExactlyInAnyOrder(
                        "--node http://127.0.0.1:" + free
                                + "/…: no connection (expected: an answer to eth_chainId within 5 s)",
                        "--node ws://127.0.0.1:" + free
                                + ": no connection (expected: an answer to eth_chainId within 5 s)",
                        NO_URL,
                        NO_URL,
                        NO_URL,
                        NO_URL);
    }

    /** A node that repeats the request, and with it the URL's path, where a status or a header should be. */
    @ParameterizedTest
    @CsvSource({"http", "ws"})
    void nothingThatANodeSentIsInAMessage(String scheme) throws Exception {
        try (RawNode echoing = new RawNode(
                connection -> connection.write("\u001b[31m " + connection.read().head() + "\r\n\r\n"))) {
            assertThat(problems(scheme + "://127.0.0.1:" + echoing.port() + "/key1234567890"))
                    .containsExactly("--node " + scheme + "://127.0.0.1:" + echoing.port()
                            + "/…: neither HTTP nor a WebSocket (expected: an answer to eth_chainId within 5 s)");
        }
    }

    @ParameterizedTest
    @CsvSource({"http", "ws"})
    void aNodeThatAcceptsAndSaysNothingIsGivenUp(String scheme) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(problems(scheme + "://127.0.0.1:" + silent.getLocalPort()))
                    .singleElement()
                    .asString()
                    .contains(": no answer (expected: ");
        }
    }
}
