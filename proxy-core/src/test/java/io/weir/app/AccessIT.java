package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.testing.JsonRpcClient;
import io.weir.testing.JsonRpcSocket;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.EchoNode;
import io.weir.testing.traffic.HttpConnection;
import io.weir.testing.traffic.HttpConnection.Response;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The callers' rights and rates by method and network: two networks behind one proxy, seen by their clients. */
final class AccessIT {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String CALL = JsonRpcClient.call("eth_config");

    private static EchoNode red;
    private static EchoNode blue;
    private static CommandLineRun newKey;
    private static String key = "";
    private static WeirProcess weir;

    private HttpConnection http;

    @BeforeAll
    static void start() {
        red = EchoNode.start("red", 1);
        blue = EchoNode.start("blue", 2);
        newKey = CommandLineRun.of("key", "new", "made-by-command");
        List<String> lines = newKey.outLines();
        key = lines.get(0).substring(lines.get(0).lastIndexOf(' ') + 1);
        weir = WeirProcess.start("""
                server.port = 0
                admin.port = 0
                plugins.path = []
                default-network = red
                networks {
                  red { chain-id = 1, upstreams.node.url = "%s", methods { deny = ["trace_*"], allow = [txpool_status, wallet_ofTheNode] } }
                  blue {
                    chain-id = 2, hosts = ["blue.example.org"], upstreams.node.url = "%s"
                    methods { unknown = deny, allow = ["erigon_*"] }
                  }
                }
                access.keys {
                  demo { sha256 = "%s" }
                  red-only { sha256 = "%s", networks = [red] }
                  few { sha256 = "%s", methods = ["eth_conf*", "wallet_*"] }
                  slow { sha256 = "%s", rate { calls-per-second = 1, burst = 30 } }
                  slow-socket { sha256 = "%s", rate { calls-per-second = 1, burst = 3 } }
                  costly { sha256 = "%s", rate { calls-per-second = 10, burst = 10, weighted = true } }
                }
                %s
                """.formatted(
                red.url(),
                blue.url(),
                CommandLineRun.sha256("demo"),
                CommandLineRun.sha256("red only"),
                CommandLineRun.sha256("few"),
                CommandLineRun.sha256("slow"),
                CommandLineRun.sha256("slow-socket"),
                CommandLineRun.sha256("costly"),
                String.join("\n", lines.subList(lines.indexOf("access.keys.made-by-command {"), lines.size()))));
        await().atMost(PATIENCE).until(() -> weir.admin().readyStatus() == 200);
    }

    @AfterAll
    static void stop() {
        try {
            if (weir != null) {
                weir.close();
            }
        } finally {
            red.close();
            blue.close();
        }
    }

    @BeforeEach
    void connect() {
        http = HttpConnection.open(weir.port());
    }

    @AfterEach
    void disconnect() {
        http.close();
    }

    private static String node(Response response) {
        assertThat(response.status()).as(response.body()).isEqualTo(200);
        return response.json().at("/result/node").asString();
    }

    private static void assertError(Response response, int status, int code) {
        assertThat(response.status()).as(response.body()).isEqualTo(status);
        assertThat(response.errorCode()).as(response.body()).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource({
        "/v3/wrong, invalid", "/v3/Demo, invalid", "/red/v3/wrong, invalid", "/nowhere/v3/wrong, invalid",
        "/v3/, no", "/v3, no", "/, no", "/red, no"
    })
    void withoutAKnownKeyNothingIsServed(String path, String which) {
        Response response = http.post(path, CALL);
        assertError(response, 401, -32001);
        assertThat(response.json().at("/error/message").asString()).isEqualTo(which + " api key");
        assertThat(response.json().path("id").isNull()).isTrue();
        assertThat(response.header("www-authenticate")).isNotBlank();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/ws/v3/wrong", "/ws", "/blue/ws"})
    void withoutAKnownKeyNoWebSocketOpens(String path) {
        assertHandshakeRejected(path, 401);
    }

    private static void assertHandshakeRejected(String path, int status) {
        assertThatThrownBy(() -> JsonRpcSocket.connect("ws://127.0.0.1:" + weir.port() + path))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        WebSocketHandshakeException.class,
                        refused ->
                                assertThat(refused.getResponse().statusCode()).isEqualTo(status));
    }

    @Test
    void theNetworkIsThatOfThePathElseOfTheHostElseTheDefault() {
        assertThat(node(http.post("/v3/demo", CALL))).isEqualTo("red");
        assertThat(node(http.post("/blue/v3/demo", CALL))).isEqualTo("blue");
        assertThat(node(http.post("/red/v3/demo", CALL))).isEqualTo("red");
        for (String host : List.of("blue.example.org", "BLUE.example.org:8545", "blue.example.org:1")) {
            assertThat(node(http.post("/v3/demo", CALL, "host: " + host)))
                    .as(host)
                    .isEqualTo("blue");
            assertThat(node(http.post("/red/v3/demo", CALL, "host: " + host)))
                    .as(host)
                    .isEqualTo("red");
        }
        assertThat(node(http.post("/v3/demo", CALL, "host: green.localhost"))).isEqualTo("red");
        assertError(http.post("/v3/demo", CALL, "host: green.example.org"), 403, -32002);
    }

    @Test
    void aWebSocketStaysWithTheNetworkOfItsPath() {
        for (String network : List.of("red", "blue")) {
            String url = "ws://127.0.0.1:" + weir.port() + "/" + network + "/ws/v3/demo";
            try (JsonRpcSocket socket = JsonRpcSocket.connect(url)) {
                socket.send(CALL);
                assertThat(JSON.readTree(socket.await()).at("/result/node").asString())
                        .isEqualTo(network);
            }
        }
    }

    @Test
    void aNetworkThatIsNotThereIsNoPath() {
        assertThat(http.post("/green/v3/demo", CALL).status()).isEqualTo(404);
        assertThat(http.post("/Blue/v3/demo", CALL).status()).isEqualTo(404);
        assertHandshakeRejected("/green/ws/v3/demo", 404);
    }

    @Test
    void aKeyServesOnlyTheNetworksThatItNames() {
        assertThat(node(http.post("/red/v3/red%20only", CALL))).isEqualTo("red");
        assertThat(node(http.post("/v3/red%20only", CALL))).isEqualTo("red");
        assertError(http.post("/blue/v3/red%20only", CALL), 403, -32002);
        assertError(http.post("/v3/red%20only", CALL, "host: blue.example.org"), 403, -32002);
        assertHandshakeRejected("/blue/ws/v3/red%20only", 403);
    }

    @Test
    void aMethodThatTheKeyMayNotUseIsRejectedAlone() {
        assertThat(node(http.post("/v3/few", CALL))).isEqualTo("red");
        assertError(http.post("/v3/few", JsonRpcClient.call("eth_call")), 403, -32002);
        Response batch = http.post("/v3/few", "[" + CALL + "," + JsonRpcClient.call("eth_call") + "]");
        assertThat(batch.status()).isEqualTo(200);
        assertThat(batch.json().at("/0/result/node").asString()).isEqualTo("red");
        assertThat(batch.json().at("/1/error/code").asInt()).isEqualTo(-32002);
        assertThat(red.asked()).doesNotContain("eth_call");
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "few"})
    void aWalletMethodThatNoPluginServesDoesNotExistForAnyKey(String key) {
        for (String method : new String[] {"wallet_invokeSnap", "wallet_getSnaps", "Wallet_invokeSnap"}) {
            assertError(http.post("/v3/" + key, JsonRpcClient.call(method)), 200, -32601);
            Response batch = http.post("/v3/" + key, "[" + JsonRpcClient.call(method) + "]");
            assertThat(batch.json().at("/0/error/message").asString())
                    .isEqualTo("the method " + method + " does not exist/is not available");
            assertThat(red.asked()).doesNotContain(method);
        }
    }

    @Test
    void aWalletMethodOfANodeIsForKeysThatNameItWhereTheNetworkAllowsIt() {
        assertThat(node(http.post("/v3/few", JsonRpcClient.call("wallet_ofTheNode"))))
                .isEqualTo("red");
        assertError(http.post("/v3/demo", JsonRpcClient.call("wallet_ofTheNode")), 200, -32601);
        assertError(http.post("/blue/v3/few", JsonRpcClient.call("wallet_ofTheNode")), 200, -32601);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "admin_addPeer",
                "debug_traceCall",
                "engine_newPayloadV4",
                "miner_start",
                "personal_unlockAccount",
                "eth_sendTransaction",
                "eth_sign",
                "eth_signTransaction",
                "eth_accounts",
                "eth_coinbase",
                "testing_buildBlock",
                "txpool_content",
                "eth_signTypedData_v4",
                "eth_resend",
                "anvil_setBalance",
                "evm_revert",
                "parity_setAuthor",
                "Personal_unlockAccount",
                "personal_unlockAccount ",
                "Trace_block",
                "trace_block",
                "trace_unheardOf",
            })
    void methodsThatTheNetworkDeniesDoNotExistAndReachNoNode(String method) {
        assertError(http.post("/v3/demo", JsonRpcClient.call(method)), 200, -32601);
        assertThat(red.asked()).doesNotContain(method);
    }

    @Test
    void methodsThatTheNetworkAllowsByNameAreServed() {
        assertThat(node(http.post("/v3/demo", JsonRpcClient.call("txpool_status"))))
                .isEqualTo("red");
    }

    @Test
    void methodsThatNobodyKnowsPassOrAreDeniedByTheNetworksRule() {
        assertThat(node(http.post("/red/v3/demo", JsonRpcClient.call("some_method"))))
                .isEqualTo("red");
        assertError(http.post("/blue/v3/demo", JsonRpcClient.call("some_method")), 200, -32601);
        assertThat(node(http.post("/blue/v3/demo", JsonRpcClient.call("erigon_forks"))))
                .isEqualTo("blue");
        assertThat(blue.asked()).doesNotContain("some_method");
    }

    @Test
    void overItsRateACallIsRejectedWithTheTimeToWait() {
        Response refused = null;
        for (int i = 0; i < 200 && refused == null; i++) {
            Response response = http.post("/v3/slow", CALL);
            refused = response.status() == 429 ? response : null;
        }
        assertThat(refused).isNotNull();
        assertError(refused, 429, -32005);
        assertThat(Integer.parseInt(refused.header("retry-after"))).isBetween(1, 3);
        assertThat(refused.json().at("/error/data/callsPerSecond").asInt()).isEqualTo(1);
        assertThat(refused.json().path("id").asInt()).isEqualTo(1);

        // It would have to wait for half a minute.
        Response batch = http.post("/v3/slow", batch(30));
        assertError(batch, 429, -32005);
        assertThat(batch.json().path("id").isNull()).isTrue();

        Response tooLarge = http.post("/v3/slow", batch(31));
        assertError(tooLarge, 200, -32600);
        assertThat(tooLarge.header("retry-after")).isNull();

        await().atMost(PATIENCE)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> http.post("/v3/slow", CALL).status() == 200);
    }

    private static String batch(int calls) {
        return "[" + String.join(",", Collections.nCopies(calls, CALL)) + "]";
    }

    @Test
    void overAWebSocketEveryIdOfARejectedBatchGetsItsError() {
        try (JsonRpcSocket socket = JsonRpcSocket.connect("ws://127.0.0.1:" + weir.port() + "/ws/v3/slow-socket")) {
            String batch = "[%s,{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"eth_config\"},"
                    + "{\"jsonrpc\":\"2.0\",\"method\":\"eth_config\"}]";
            JsonNode answers = JSON.readTree("[]");
            for (int i = 0; i < 20 && !answers.at("/0").has("error"); i++) {
                socket.send(batch.formatted(CALL));
                answers = JSON.readTree(socket.await());
            }
            assertThat(answers.size()).isEqualTo(2);
            assertThat(answers.at("/0/id").asInt()).isEqualTo(1);
            assertThat(answers.at("/1/id").asString()).isEqualTo("b");
            for (JsonNode answer : answers) {
                assertThat(answer.at("/error/code").asInt()).isEqualTo(-32005);
                assertThat(answer.at("/error/data/callsPerSecond").asInt()).isEqualTo(1);
            }
            assertThat(socket.closed()).isNotDone();
        }
    }

    @Test
    void aWeightedRateCountsWhatMethodsCost() {
        String logs = JsonRpcClient.call("eth_getLogs");
        assertThat(http.post("/v3/costly", "[" + logs + "," + logs + "]").errorCode())
                .isEqualTo(-32600);
        await().atMost(PATIENCE)
                .until(() -> http.post("/v3/costly", batch(5)).json().isArray());
    }

    @Test
    void theOutputOfTheKeyCommandWorksAndTheKeyIsNowhereElse() {
        assertThat(newKey.exitCode()).isZero();
        assertThat(newKey.err()).isEmpty();
        assertThat(key).matches("[A-Za-z0-9_-]{32}");
        assertThat(newKey.out().split(key, -1)).hasSize(2);
        assertThat(node(http.post("/v3/" + key, CALL))).isEqualTo("red");
        assertThat(http.post("/v3/" + key, "{").errorCode()).isEqualTo(-32700);
        assertThat(http.post("/nowhere/v3/" + key, CALL).body()).doesNotContain(key);
        assertThat(http.request("PUT", "/v3/" + key, CALL).status()).isEqualTo(405);
        assertThat(http.post("/v3/" + key + "/more", CALL).body()).doesNotContain(key);
        assertThat(http.post("/v3/" + key + "x", CALL).status()).isEqualTo(401);

        String hash = CommandLineRun.sha256(key);
        String status;
        try (HttpConnection admin = HttpConnection.open(weir.adminPort())) {
            status = admin.get("/status").body();
        }
        for (String secret : List.of(key, hash)) {
            assertThat(weir.admin().metrics()).doesNotContain(secret);
            assertThat(status).doesNotContain(secret);
            assertThat(weir.process().told()).doesNotContain(secret);
        }
    }
}
