package io.weir.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A caller whose words a node quotes does not decide what other callers get. */
final class CallerWordsIT {

    private static final String ADDRESS = "0x" + "12".repeat(20);
    private static final int CALLS = 60;

    private static Map.Entry<String, ?> answer(String form, String method, JsonNode params) {
        if (method.equals("eth_getBalance")) {
            return MadeNode.result("0x1");
        }
        return switch (form) {
            case "alchemy" ->
                MadeNode.error(-32600, "Unsupported method: " + method + ". See available methods at https://docs");
            case "hardhat" -> MadeNode.error(-32004, "Method " + method + " is not supported");
            default -> MadeNode.error(-32000, "invalid argument 0: " + params);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"alchemy", "hardhat", "geth"})
    void sixtyCallsOfOthersAreAnsweredBetweenCallsWithBadWords(String form) throws IOException {
        List<String> words = List.of("too many requests", "unauthorized", "rate limit", "database timeout", "internal");
        try (MadeNode node = new MadeNode((method, params) -> answer(form, method, params));
                LocalProxy weir = LocalProxy.start(ConfigurationText.of("main", "1")
                        .networkSetting("methods.allow = [\"debug_*\"]")
                        .upstream("node", node.url())
                        .text())) {
            JsonRpcClient client = new JsonRpcClient("http://127.0.0.1:" + weir.port() + "/v3/demo");
            assertThat(client.result("eth_getBalance", ADDRESS, "0x1").asString())
                    .isEqualTo("0x1");
            for (int i = 0; i < CALLS; i++) {
                String word = words.get(i % words.size());
                JsonNode refused = form.equals("geth")
                        ? client.answer("debug_traceCall", Map.of(), "latest", Map.of("tracer", word))
                        : client.answer(word);
                assertThat(refused.has("error")).isTrue();
                // Another block each time: nothing comes from memory.
                JsonNode balance = client.answer("eth_getBalance", ADDRESS, "0x" + Integer.toHexString(1 + i));
                assertThat(balance.path("result").asString(balance.toString())).isEqualTo("0x1");
            }
            assertThat(weir.admin().health("main", "node")).isEqualTo("healthy");
        }
    }
}
