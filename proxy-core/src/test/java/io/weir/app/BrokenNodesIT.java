package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The answers to a client while the only node breaks, in each way, over HTTP and over a WebSocket. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BrokenNodesIT {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** One connection for calls and one for probes, of each of two event loops, and one that is closing. */
    private static final int MAX_CONNECTIONS = 5;

    private static final String PATIENT = "net";

    /** Has the same node, and waits only for a moment: calls that are never answered go to it. */
    private static final String HASTY = "hasty";

    private static final List<String> NETWORKS = List.of(PATIENT, HASTY);

    private BrokenNode node;
    private LocalProxy overHttp;
    private LocalProxy overSocket;

    @BeforeAll
    void begin() throws IOException {
        node = new BrokenNode();
        overHttp = start("url = \"http://127.0.0.1:" + node.port() + "\"");
        overSocket = start("ws-url = \"ws://127.0.0.1:" + node.port() + "\"");
    }

    private static LocalProxy start(String url) {
        ConfigurationText text = ConfigurationText.of(PATIENT, "1337").setting("server.threads = 2");
        for (String network : NETWORKS) {
            String timeout = network.equals(HASTY) ? "1 s" : "30 s";
            text.setting("networks." + network + " { kind = ethereum, chain-id = 1337 }")
                    .setting("networks." + network + ".upstreams.broken { " + url + ", timeout = " + timeout
                            + ", max-response = 8 MiB }")
                    .setting("networks." + network + ".health.interval = 250 ms")
                    // Each call has one round of attempts, which are counted.
                    .setting("networks." + network + ".balance.wait = 0 ms");
        }
        return LocalProxy.start(text.text());
    }

    @AfterAll
    void end() {
        overHttp.close();
        overSocket.close();
        await().atMost(PATIENCE).until(() -> node.open() == 0);
        node.close();
    }

    /** Some ways of breaking take the node out for a moment. */
    @BeforeEach
    void awaitHealth() {
        awaitHealth(overHttp);
        awaitHealth(overSocket);
    }

    private static void awaitHealth(LocalProxy weir) {
        for (String network : NETWORKS) {
            await().atMost(PATIENCE).until(() -> ask(weir, network, "well").statusCode() == 200);
            await().atMost(PATIENCE)
                    .until(() -> weir.admin().health(network, "broken").equals("healthy"));
        }
    }

    @AfterEach
    void nothingIsLeftUnderWay() {
        await().atMost(PATIENCE)
                .until(() -> overHttp.admin().metric("weir_upstream_in_flight")
                                + overSocket.admin().metric("weir_upstream_in_flight")
                        == 0);
        await().atMost(PATIENCE)
                .until(() -> overHttp.admin().metric("weir_bytes_in_flight")
                                + overSocket.admin().metric("weir_bytes_in_flight")
                        == 0);
        await().atMost(PATIENCE).until(() -> node.open() <= 2 * NETWORKS.size() * MAX_CONNECTIONS);
    }

    private static HttpResponse<String> ask(LocalProxy weir, String network, String way) {
        String url = weir.url().replace("/v3/", "/" + network + "/v3/");
        return new JsonRpcClient(url).post(JsonRpcClient.call("trace_get", way));
    }

    private static double badAnswers(LocalProxy weir, String reason) {
        return weir.admin().metric("weir_upstream_bad_answers_total", "reason=\"" + reason + "\"");
    }

    private static void assertAnswer(LocalProxy weir, String way, int status, int code, String message) {
        HttpResponse<String> response = ask(weir, message.endsWith("no answer in time") ? HASTY : PATIENT, way);
        assertThat(response.statusCode()).as(way).isEqualTo(status);
        // Each of them tells when to ask again, in seconds; "limited" passes on what the node says.
        assertThat(response.headers().firstValue("Retry-After").isPresent())
                .as(way)
                .isEqualTo(status != 200);
        if (way.equals("limited")) {
            assertThat(response.headers().firstValue("Retry-After")).hasValue("1");
        }
        JsonNode answer = JSON.readTree(response.body());
        assertThat(answer.path("id").intValue()).as(way).isEqualTo(1);
        assertThat(answer.has("result")).as(way).isFalse();
        assertThat(answer.at("/error/code").intValue()).as(way).isEqualTo(code);
        assertThat(answer.at("/error/message").stringValue()).as(way).isEqualTo(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
                    late;      503; -32603; no upstream could answer: no answer in time;                   -
                    garbage;   503; -32603; no upstream could answer: no valid answer;                     not_json
                    truncated; 503; -32603; no upstream could answer: no valid answer;                     truncated
                    wrongid;   503; -32603; no upstream could answer: no valid answer;                     wrong_id
                    both;      503; -32603; no upstream could answer: no valid answer;                     both_result_and_error
                    neither;   503; -32603; no upstream could answer: no valid answer;                     neither_result_nor_error
                    gzip;      503; -32603; no upstream could answer: no valid answer;                     broken_coding
                    brotli;    503; -32603; no upstream could answer: no valid answer;                     unrequested_coding
                    error500;  503; -32603; no upstream could answer: server error;                        server_error
                    half;      503; -32603; no upstream could answer: the connection broke;                cut_off
                    reset;     503; -32603; no upstream could answer: the connection broke;                -
                    endless;   200; -32000; the result is larger than this proxy passes on;                too_large
                    limited;   429; -32005; every upstream is rate limited;                                -
                    error429;  429; -32005; every upstream is rate limited;                                -
                    """)
    void overHttp(String way, int status, int code, String message, String reason) {
        double before = badAnswers(overHttp, reason);
        // A connection that broke under a repeatable call is forgiven the only node once: that call is asked twice.
        int attempts = way.equals("half") ? 2 : 1;
        assertAnswer(overHttp, way, status, code, message);
        assertThat(badAnswers(overHttp, reason) - before).isEqualTo(reason.equals("-") ? 0 : attempts);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
                    late;      503; -32603; no upstream could answer: no answer in time;                   -
                    garbage;   503; -32603; no upstream could answer: no answer in time;                   -
                    truncated; 503; -32603; no upstream could answer: no valid answer;                     truncated
                    wrongid;   503; -32603; no upstream could answer: no answer in time;                   -
                    both;      503; -32603; no upstream could answer: no valid answer;                     both_result_and_error
                    neither;   503; -32603; no upstream could answer: no valid answer;                     neither_result_nor_error
                    half;      503; -32603; no upstream could answer: the connection broke;                -
                    reset;     503; -32603; no upstream could answer: the connection broke;                -
                    endless;   200; -32000; the result is larger than this proxy passes on;                too_large
                    error429;  429; -32005; every upstream is rate limited;                                -
                    """)
    void overWebSocket(String way, int status, int code, String message, String reason) {
        double before = badAnswers(overSocket, reason);
        assertAnswer(overSocket, way, status, code, message);
        assertThat(badAnswers(overSocket, reason) - before).isEqualTo(reason.equals("-") ? 0 : 1);
    }

    @Test
    void aLargeResultThatIsAllowedComesThrough() {
        for (LocalProxy weir : new LocalProxy[] {overHttp, overSocket}) {
            HttpResponse<String> response = ask(weir, PATIENT, "large");
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).hasSizeGreaterThan(BrokenNode.LARGE_BYTES);
        }
    }
}
