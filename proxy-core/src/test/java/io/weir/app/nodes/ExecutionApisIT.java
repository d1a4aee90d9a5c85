package io.weir.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.verify.ChainVectors;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The answers of the specification's own tests pass as they are, the first time and from memory. */
final class ExecutionApisIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String HEAD = "\"0x36\"";

    /** Invalid parameters, and more blocks to simulate than there may be. */
    private static final Set<Integer> OF_PARAMS = Set.of(-32602, -38026);

    private final ChainVectors chain = new ChainVectors();
    private final List<JsonNode> pairs = pairs();
    private final Map<String, JsonNode> recorded = new HashMap<>();

    private static List<JsonNode> pairs() {
        try (InputStream file = ExecutionApisIT.class.getResourceAsStream("/execution-apis/pairs.json.gz");
                InputStream text = new GZIPInputStream(file)) {
            return MadeNode.JSON.readTree(text).valueStream().toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Names a call as the proxy spells it: held to the head, in lower case, with its members in an order of their own, and without what a
     * call may leave out.
     */
    private static String key(String method, JsonNode params) {
        String text = params.isMissingNode() ? "[]" : spelled(params).toString();
        return method
                + text.replace("\"latest\"", HEAD)
                        .replace("," + HEAD + "]", "]")
                        .replace("[\"0x00\"]", "[\"0x0\"]")
                        .replaceAll(",(\"0x[0-9a-f]{64}\")]$", ",{\"blockHash\":$1}]");
    }

    private static JsonNode spelled(JsonNode node) {
        if (node.isString()) {
            return MadeNode.JSON.valueToTree(node.asString().toLowerCase(Locale.ROOT));
        }
        if (node.isArray()) {
            return MadeNode.JSON.valueToTree(
                    node.valueStream().map(ExecutionApisIT::spelled).toList());
        }
        Map<String, JsonNode> members = new TreeMap<>();
        node.properties()
                .forEach(member -> members.put(
                        member.getKey().equals("input") ? "data" : member.getKey(), spelled(member.getValue())));
        return node.isObject() ? MadeNode.JSON.valueToTree(members) : node;
    }

    /** Answers as the node of the tests did, and with the blocks of its chain. */
    private Map.Entry<String, ?> answer(String method, JsonNode params) {
        JsonNode response = recorded.get(key(method, params));
        if (response != null) {
            String member = response.has("error") ? "error" : "result";
            return Map.entry(member, response.get(member));
        }
        String first = params.path(0).asString("");
        ObjectNode block = chain.blocks().stream()
                .filter(one -> one.get("hash").asString().equals(first)
                        || one.get("number").asString().equals(first))
                .findFirst()
                .orElse(null);
        return switch (method) {
            case "eth_getBlockByHash", "eth_getBlockByNumber" ->
                MadeNode.result(block == null ? null : params.path(1).asBoolean() ? block : withHashes(block));
            case "eth_getBlockReceipts" -> MadeNode.result(block == null ? null : chain.receipts(block));
            case "eth_getUncleByBlockHashAndIndex" ->
                MadeNode.result(
                        chain.uncles(block).get(Integer.decode(params.get(1).asString())));
            default -> MadeNode.error(-32601, "the method " + method + " does not exist/is not available");
        };
    }

    private static ObjectNode withHashes(ObjectNode block) {
        ObjectNode copy = block.deepCopy();
        ArrayNode hashes = MadeNode.JSON.createArrayNode();
        block.get("transactions").forEach(transaction -> hashes.add(transaction.get("hash")));
        copy.set("transactions", hashes);
        return copy;
    }

    /** Returns the result or the error. What is wrong with parameters, each program says in its own words. */
    private static JsonNode member(JsonNode answer) {
        JsonNode code = answer.at("/error/code");
        boolean isOfParams = OF_PARAMS.contains(code.asInt(0));
        return isOfParams ? code : answer.has("error") ? answer.get("error") : answer.path("result");
    }

    @Test
    void everyPairIsAnsweredAsRecordedColdAndWarm() throws IOException {
        pairs.forEach(pair -> recorded.put(
                key(pair.at("/request/method").asString(), pair.at("/request/params")), pair.get("response")));
        List<String> different = new ArrayList<>();
        try (MadeNode node = new MadeNode(Map.of("eth_syncing", false), this::answer);
                LocalProxy weir =
                        LocalProxy.start(ConfigurationText.of("tests", Long.toString(Long.decode("0xc72dd9d5e883e")))
                                .upstream("node", node.url())
                                .networkSetting("methods.allow = [\"*\"]")
                                .text())) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            await().atMost(PATIENCE)
                    .until(() -> client.answer("eth_blockNumber").has("result"));
            for (JsonNode pair : pairs) {
                for (String when : List.of("cold", "warm")) {
                    JsonNode answer = JsonRpcClient.parsed(
                            client.post(pair.get("request").toString()).body());
                    if (!member(answer).equals(member(pair.get("response")))) {
                        different.add("%s, %s: %.300s (expected: %.300s)"
                                .formatted(
                                        pair.get("name").asString(),
                                        when,
                                        member(answer),
                                        member(pair.get("response"))));
                    }
                }
            }
        }
        assertThat(different).isEmpty();
    }
}
