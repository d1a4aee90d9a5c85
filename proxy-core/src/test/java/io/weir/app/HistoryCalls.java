package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.JsonRpcClient;
import io.weir.testing.RunningProxy;
import io.weir.testing.traffic.HistoryNode;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls about a node's old blocks whose answers prove themselves, and what the node says to them. Immutable. */
record HistoryCalls(HistoryNode node, List<JsonNode> calls) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** All about blocks without uncles up to a number. */
    static HistoryCalls of(HistoryNode node, int last) {
        List<JsonNode> calls = new ArrayList<>();
        for (int number = 1; number <= last; number++) {
            JsonNode block = node.block(number);
            if (block.get("uncles").isEmpty()) {
                calls.add(call("eth_getBlockByNumber", "0x" + Integer.toHexString(number), true));
                calls.add(call("eth_getBlockByHash", block.get("hash").asString(), true));
            }
            for (JsonNode transaction : block.get("transactions")) {
                calls.add(
                        call("eth_getTransactionByHash", transaction.get("hash").asString()));
            }
        }
        return new HistoryCalls(node, List.copyOf(calls));
    }

    private static JsonNode call(String method, Object... params) {
        return JSON.readTree(JsonRpcClient.call(method, params));
    }

    /** The same, those of a method, or all others. */
    HistoryCalls of(String method, boolean others) {
        return new HistoryCalls(
                node,
                calls.stream()
                        .filter(call -> call.get("method").asString().equals(method) != others)
                        .toList());
    }

    int size() {
        return calls.size();
    }

    /** The same, some of them. */
    HistoryCalls part(int from, int to) {
        return new HistoryCalls(node, calls.subList(from, to));
    }

    /** Asks all of them once, one after the other, and checks each answer; gives how many came without a node. */
    int askAll(RunningProxy weir) {
        JsonRpcClient client = new JsonRpcClient(weir.url());
        int hits = 0;
        for (JsonNode call : calls) {
            hits += isHit(ask(client, call)) ? 1 : 0;
        }
        return hits;
    }

    /** Asks one of them and checks the answer. */
    void askOne(JsonRpcClient client, Random random) {
        ask(client, calls.get(random.nextInt(calls.size())));
    }

    private HttpResponse<String> ask(JsonRpcClient client, JsonNode call) {
        HttpResponse<String> response = client.post(call.toString());
        assertThat(JSON.readTree(response.body()).path("result"))
                .as(call.toString())
                .isEqualTo(JSON.readTree(node.answer(call)));
        return response;
    }

    private static boolean isHit(HttpResponse<String> response) {
        return response.headers().firstValue("cache-status").orElse("").startsWith("weir; hit");
    }
}
