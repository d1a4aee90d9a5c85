package io.weir.app.reorg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

/** Reorganisations of a real node: everything about the dropped blocks was asked before, and is asked again. */
final class AnvilReorganisationsIT {

    private static final int BLOCKS = 140;
    private static final Map<String, Object> TRANSFER =
            Map.of("from", AnvilNode.RICH_ACCOUNT, "to", "0x" + "17".repeat(20), "value", "0x1");

    private static AnvilNode anvil;
    private static JsonRpcClient direct;

    /** A call with its parameters. */
    private record Question(String method, Object... params) {}

    @BeforeAll
    static void start() {
        anvil = AnvilNode.start();
        direct = new JsonRpcClient(anvil.url());
        direct.result("anvil_mine", "0x" + Integer.toHexString(BLOCKS));
    }

    @AfterAll
    static void stop() {
        if (anvil != null) {
            anvil.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"off", "before-caching", "before-serving"})
    void nothingOfADroppedBlockIsAnsweredAndWhatIsFinalStays(String verify) {
        String configuration = ConfigurationText.of("anvil", AnvilNode.CHAIN_ID)
                .upstream("node", anvil.url())
                .networkSetting("verify = " + verify)
                .networkSetting("head.max-age = 100 ms")
                .text();
        try (LocalProxy weir = LocalProxy.start(configuration)) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            String last = "0x" + Integer.toHexString(BLOCKS / 10);
            await().until(() -> status(client, last).equals("weir; hit"));
            for (int depth : new int[] {1, 30, 3}) {
                for (int i = 0; i < 2; i++) {
                    direct.mined(TRANSFER);
                }
                List<Question> questions = questions(depth + 1);
                questions.forEach(question -> assertSame(client, question));
                questions.forEach(question -> assertSame(client, question));
                direct.result("anvil_reorg", depth, List.of());
                await().until(() -> client.result("eth_getBlockByNumber", "latest", false)
                        .equals(direct.result("eth_getBlockByNumber", "latest", false)));
                questions.addAll(questions(depth + 1));
                questions.forEach(question -> assertSame(client, question));
                assertThat(status(client, last)).as("final").isEqualTo("weir; hit");
            }
            assertThat(weir.admin().metric("weir_reorgs_total")).isPositive();
        }
    }

    private static String status(JsonRpcClient client, String number) {
        return client.post(JsonRpcClient.call("eth_getBlockByNumber", number, true))
                .headers()
                .firstValue("cache-status")
                .orElse("");
    }

    private static void assertSame(JsonRpcClient client, Question question) {
        JsonNode expected = direct.answer(question.method(), question.params());
        JsonNode answer = client.answer(question.method(), question.params());
        assertThat(found(answer))
                .as("%s%s: %s", question.method(), List.of(question.params()), answer)
                .isEqualTo(found(expected));
    }

    /** Anvil answers some lookups that find nothing with an error, which through the proxy find nothing as the others do. */
    private static JsonNode found(JsonNode answer) {
        return answer.has("result") ? answer.get("result") : NullNode.getInstance();
    }

    /** About the newest blocks and all that is in them, by every selector; of deep ones only some. */
    private static List<Question> questions(int count) {
        List<Question> questions = new ArrayList<>();
        long head = Long.decode(direct.result("eth_blockNumber").asString());
        for (int i = 0; i < count; i += 1 + i / 2) {
            String number = "0x" + Long.toHexString(head - i);
            JsonNode block = direct.result("eth_getBlockByNumber", number, false);
            String hash = block.get("hash").asString();
            for (boolean full : new boolean[] {true, false}) {
                questions.add(new Question("eth_getBlockByNumber", number, full));
                questions.add(new Question("eth_getBlockByHash", hash, full));
            }
            questions.add(new Question("eth_getBlockReceipts", number));
            questions.add(new Question("eth_getBlockTransactionCountByNumber", number));
            questions.add(new Question("eth_getBlockTransactionCountByHash", hash));
            questions.add(new Question("eth_getUncleCountByBlockHash", hash));
            questions.add(new Question("eth_getTransactionByBlockNumberAndIndex", number, "0x0"));
            questions.add(new Question("eth_getTransactionByBlockHashAndIndex", hash, "0x0"));
            questions.add(new Question("eth_getLogs", Map.of("blockHash", hash)));
            questions.add(new Question("eth_getBalance", TRANSFER.get("to"), number));
            questions.add(new Question("eth_getTransactionCount", AnvilNode.RICH_ACCOUNT, Map.of("blockHash", hash)));
            for (JsonNode transaction : block.get("transactions")) {
                questions.add(new Question("eth_getTransactionByHash", transaction.asString()));
                questions.add(new Question("eth_getTransactionReceipt", transaction.asString()));
            }
        }
        return questions;
    }
}
