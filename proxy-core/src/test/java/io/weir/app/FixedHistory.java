package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.JsonRpcClient;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The built-in chain's blocks that are the same at every start, as the proxy answers them. Immutable.
 *
 * @param blocks with whole transactions, by number
 * @param receipts of each block, by its number
 */
record FixedHistory(List<JsonNode> blocks, List<JsonNode> receipts) {

    /** The last one's number. */
    static final int LAST = 128;

    /** The last one's hash, which is over all that came before it. */
    static final String LAST_HASH = "0x636a6aeb05e42aa1ce18ae6575a2527d76b983306816d40ff5f09fcad6a189c7";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Asks for them in two batches, whose answers must come in the order of their calls. */
    static FixedHistory read(JsonRpcClient http) {
        return new FixedHistory(
                ofEveryBlock(http, "eth_getBlockByNumber", ",true"), ofEveryBlock(http, "eth_getBlockReceipts", ""));
    }

    private static List<JsonNode> ofEveryBlock(JsonRpcClient http, String method, String furtherParams) {
        List<String> calls = new ArrayList<>();
        for (int number = 0; number <= LAST; number++) {
            calls.add("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":[\"0x%x\"%s]}"
                    .formatted(number, method, number, furtherParams));
        }
        List<JsonNode> results = new ArrayList<>();
        for (JsonNode answer : JSON.readTree(http.post(calls.toString()).body())) {
            assertThat(answer.path("id").asInt()).isEqualTo(results.size());
            results.add(answer.required("result"));
        }
        assertThat(results).hasSize(LAST + 1);
        return results;
    }

    /** All transactions, in the chain's order. */
    List<JsonNode> transactions() {
        return blocks.stream()
                .flatMap(block -> block.get("transactions").valueStream())
                .toList();
    }

    /** All logs, in the chain's order. */
    List<JsonNode> logs() {
        return receipts.stream()
                .flatMap(JsonNode::valueStream)
                .flatMap(receipt -> receipt.get("logs").valueStream())
                .toList();
    }
}
