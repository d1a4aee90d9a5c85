package io.weir.app.errors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIterable;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.weir.app.LocalProxy;
import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.NodeScript;
import io.weir.testing.traffic.BytesNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The errors that users of viem and ethers see over HTTP through the proxy, and which of them the clients repeat. */
final class ClientErrorsIT {

    private static final String SCRIPT = "errors-client.mjs";
    private static final List<String> CLIENTS = List.of("viem", "ethers");
    private static final List<String> SAME_AS_NODE = List.of(
            "wallet",
            "capabilities",
            "unknown",
            "subscribe",
            "noAddress",
            "noParams",
            "noTag",
            "future",
            "futureState",
            "revert",
            "estimateRevert",
            "usedNonce",
            "noFunds",
            "noTransaction",
            "badFilter",
            "range");
    private static final List<String> DENIED = List.of("accounts", "sendTransaction", "sign", "typedData");

    @Test
    void clientsSeeTheErrorsThatTheNodeItselfGives() {
        NodeScript direct;
        try (AnvilNode anvil = AnvilNode.start()) {
            direct = NodeScript.run(SCRIPT, anvil.url());
        }
        try (AnvilNode anvil = AnvilNode.start();
                LocalProxy weir = LocalProxy.start(ConfigurationText.of("anvil", AnvilNode.CHAIN_ID)
                        .upstream("node", anvil.url())
                        .text())) {
            NodeScript proxied = NodeScript.run(SCRIPT, weir.url());
            for (String client : CLIENTS) {
                for (String step : SAME_AS_NODE) {
                    assertThat(comparable(proxied.saw(client + " " + step)))
                            .as(client + " " + step)
                            .isEqualTo(comparable(direct.saw(client + " " + step)));
                }
                for (String step : DENIED) {
                    assertThat(comparable(proxied.saw(client + " " + step)))
                            .as(client + " " + step)
                            .isEqualTo(comparable(proxied.saw(client + " unknown")));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"error\":{\"code\":-32005,\"message\":\"query returned more than 10000 results\",\"data\":{\"to\":\"0x9\"}}",
                "\"error\":{\"code\":-32603,\"message\":\"block range too large\"}",
                "\"error\":{\"code\":-32602,\"message\":\"query exceeds max block range 100000\"}",
            })
    void aCallThatAsksForTooMuchIsMadeOnceByEachClient(String error) {
        try (BytesNode node = BytesNode.start();
                LocalProxy weir = start(node)) {
            node.says(error);
            assertMadeOnce(weir);
            // The proxy halves the range of nine blocks until one is left.
            assertThat(node.requests()).hasSizeBetween(CLIENTS.size(), 4 * CLIENTS.size());
        }
    }

    @Test
    void aCallWhoseResultIsTooLargeForTheProxyIsMadeOnceByEachClient() {
        try (BytesNode node = BytesNode.start();
                LocalProxy weir = start(node)) {
            // Behind so much white space no result is streamed.
            node.says(" ".repeat(2_000) + "\"result\":[\"" + "0".repeat(300 * 1024) + "\"]");
            assertMadeOnce(weir);
        }
    }

    /** The test above could not fail if the clients did not repeat any call. ethers does too, for more than a minute. */
    @Test
    void viemRepeatsACallOverTheRate() {
        try (BytesNode node = BytesNode.start();
                LocalProxy weir = start(node)) {
            node.says("\"error\":{\"code\":-32005,\"message\":\"daily request count exceeded, request rate limited\"}");
            JsonNode seen = logs(weir, "viem").saw("viem only");
            assertThat(seen.path("code").asInt()).isEqualTo(-32005);
            assertThat(seen.path("requests").asInt()).isGreaterThan(1);
        }
    }

    @Test
    void theCredentialsThatANodeRepeatsInAnErrorReachNoClientAndNoLog() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger root = (Logger) LoggerFactory.getLogger("io.weir");
        root.addAppender(log);
        try (BytesNode node = BytesNode.start();
                LocalProxy weir = LocalProxy.start(ConfigurationText.of("main", "1")
                        .upstream("node", node.url() + "/v3/k3ys0fus?apikey=wordonly")
                        .networkSetting("upstreams.node.headers { Authorization = \"Bearer shortone\" }")
                        .networkSetting("balance.wait = 0 s")
                        .text())) {
            await().until(() -> weir.admin().health("main", "node").equals("healthy"));
            for (String secret : List.of("k3ys0fus", "wordonly", "shortone")) {
                for (String error : List.of(
                        "{\"code\":-32000,\"message\":\"no plan holds %s\"}",
                        "{\"code\":-32000,\"message\":\"no plan\",\"data\":{\"of\":[\"%s\"]}}",
                        "{\"code\":3,\"message\":\"execution reverted\",\"data\":\"%s\"}")) {
                    node.says("\"error\":" + error.formatted(secret));
                    assertThat(new JsonRpcClient(weir.url())
                                    .answer("eth_gasPrice")
                                    .toString())
                            .contains("error")
                            .doesNotContain(secret);
                }
                assertThat(weir.admin().status().toString()).doesNotContain(secret);
                assertThat(weir.admin().metrics()).doesNotContain(secret);
            }
        } finally {
            root.detachAppender(log);
        }
        assertThat(List.copyOf(log.list))
                .extracting(ILoggingEvent::getFormattedMessage)
                .noneMatch(line -> line.matches("(?s).*(k3ys0fus|wordonly|shortone).*"));
    }

    private static LocalProxy start(BytesNode node) {
        LocalProxy weir = LocalProxy.start(ConfigurationText.of("main", "1")
                .upstream("node", node.url())
                .networkSetting("upstreams.node.max-response = 256 KiB")
                // The clients' own repetition is looked at.
                .networkSetting("balance.wait = 0 s")
                .text());
        await().atMost(Duration.ofSeconds(60))
                .until(() -> weir.admin().health("main", "node").equals("healthy"));
        return weir;
    }

    private static NodeScript logs(LocalProxy weir, String client) {
        return NodeScript.run(
                SCRIPT, weir.url(), "eth_getLogs", "[{\"fromBlock\":\"0x1\",\"toBlock\":\"0x9\"}]", client);
    }

    private static void assertMadeOnce(LocalProxy weir) {
        NodeScript seen = logs(weir, "both");
        for (String client : CLIENTS) {
            assertThat(seen.saw(client + " only").path("failed").asBoolean()).isTrue();
            assertThat(seen.saw(client + " only").path("requests").asInt())
                    .as(client)
                    .isEqualTo(1);
        }
        assertThatIterable(seen.saw("viem only").path("names"))
                .extracting(JsonNode::asString)
                .containsAnyOf("InvalidInputRpcError", "InvalidParamsRpcError");
    }

    /**
     * A step without the words, which nodes choose as they like. ethers reads geth's words for an unknown method, and says
     * UNSUPPORTED_OPERATION; at anvil's it says UNKNOWN_ERROR.
     */
    private static JsonNode comparable(JsonNode seen) {
        ObjectNode comparable = ((ObjectNode) seen).deepCopy();
        comparable.remove("details");
        if (comparable.path("rpcCode").asInt() == -32601) {
            comparable.remove("code");
        }
        return comparable;
    }
}
