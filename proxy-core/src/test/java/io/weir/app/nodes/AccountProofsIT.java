package io.weir.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.GethNode;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.Runs;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Proofs of accounts are held against the state root of their block. With {@code -Dweir.state.reads=5000} there are more of them. */
final class AccountProofsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int READS = Runs.number("weir.state.reads", 100, 5_000);
    private static final int SLOTS = 12;

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final List<String> METHODS =
            List.of("eth_getBalance", "eth_getTransactionCount", "eth_getStorageAt", "eth_getCode", "eth_getProof");

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final List<String> accounts = new ArrayList<>();

    /** Returns code that stores numbers in so many slots, and makes a contract of one byte. */
    private static String storing(int slots) {
        StringBuilder code = new StringBuilder("0x");
        for (int i = 1; i <= slots; i++) {
            // PUSH1 value, PUSH1 slot, SSTORE
            code.append("60%02x60%02x55".formatted(i * 3, i));
        }
        // MSTORE8 of one byte of code, which is returned.
        return code.append("60fe60005360016000f3").toString();
    }

    private void fill(JsonRpcClient node) {
        String from = node.result("eth_accounts").get(0).asString();
        accounts.add(from);
        for (int i = 0; i < 4; i++) {
            JsonNode receipt = node.mined(Map.of("from", from, "data", storing(i * 4), "gas", "0x200000"));
            accounts.add(receipt.get("contractAddress").asString());
            String heir = "0x%040x".formatted(random.nextLong() >>> 1);
            node.mined(Map.of("from", from, "to", heir, "value", "0x" + (i + 1)));
            accounts.add(heir);
        }
        accounts.add("0x" + "0".repeat(39) + "7");
        accounts.add("0x" + "9".repeat(40));
    }

    private Object[] anyRead() {
        List<String> slots = random.ints(random.nextInt(4), 0, SLOTS + 4)
                .mapToObj(AccountProofsIT::word)
                .toList();
        return new Object[] {accounts.get(random.nextInt(accounts.size())), slots, "latest"};
    }

    private static String word(int number) {
        return "0x%064x".formatted(number);
    }

    private static LocalProxy proxy(String chainId, String... nodes) {
        ConfigurationText text = ConfigurationText.of("dev", chainId).networkSetting("verify = before-caching");
        for (int i = 0; i < nodes.length; i++) {
            text.upstream("node" + i, nodes[i]);
        }
        LocalProxy weir = LocalProxy.start(text.text());
        JsonRpcClient client = new JsonRpcClient(weir.url());
        await().atMost(PATIENCE).until(() -> client.answer("eth_blockNumber").has("result"));
        return weir;
    }

    private void assertProven(LocalProxy weir, JsonRpcClient node) {
        JsonRpcClient client = new JsonRpcClient(weir.url());
        // The header of the newest block is known once it was seen.
        await().atMost(PATIENCE)
                .until(() -> verified(client.post(JsonRpcClient.call("eth_getProof", anyRead())))
                        .contains("state"));
        for (int i = 0; i < READS; i++) {
            Object[] read = anyRead();
            HttpResponse<String> answer = client.post(JsonRpcClient.call("eth_getProof", read));
            assertThat(JsonRpcClient.parsed(answer.body()).get("result"))
                    .as("seed %d: %s", seed, List.of(read))
                    .isEqualTo(node.result("eth_getProof", read));
            assertThat(verified(answer)).as("seed %d: %s", seed, List.of(read)).contains("state");
        }
    }

    private static String verified(HttpResponse<String> answer) {
        return answer.headers().firstValue("weir-verified").orElse("");
    }

    /** Asks as a client that takes proven state alone. */
    private static HttpResponse<String> required(LocalProxy weir, String method, Object... params)
            throws IOException, InterruptedException {
        return HTTP.send(
                HttpRequest.newBuilder(URI.create(weir.url()))
                        .header("content-type", "application/json")
                        .header("Weir-Require", "state")
                        .POST(HttpRequest.BodyPublishers.ofString(JsonRpcClient.call(method, params)))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private Object[] anyFact(String method, JsonRpcClient node, long head) {
        String account = accounts.get(random.nextInt(accounts.size()));
        String number = "0x" + Long.toHexString(1 + random.nextLong(head));
        Object block = switch (random.nextInt(3)) {
            case 0 -> "latest";
            case 1 -> number;
            default ->
                Map.of(
                        "blockHash",
                        node.result("eth_getBlockByNumber", number, false).get("hash"));
        };
        return method.equals("eth_getProof")
                ? new Object[] {account, List.of(word(random.nextInt(SLOTS))), block}
                : method.equals("eth_getStorageAt")
                        ? new Object[] {account, word(random.nextInt(SLOTS + 4)), block}
                        : new Object[] {account, block};
    }

    private void assertFactsAreProven(LocalProxy weir, JsonRpcClient node) throws IOException, InterruptedException {
        long head = Long.decode(node.result("eth_blockNumber").asString());
        for (int i = 0; i < READS; i++) {
            String method = METHODS.get(random.nextInt(METHODS.size()));
            Object[] read = anyFact(method, node, head);
            String description = "seed %d: %s %s".formatted(seed, method, List.of(read));
            HttpResponse<String> answer = required(weir, method, read);
            assertThat(JsonRpcClient.parsed(answer.body()).get("result"))
                    .as("%s: %s", description, answer.body())
                    .isEqualTo(node.result(method, read));
            assertThat(verified(answer)).as(description).contains("state");
        }
    }

    @Test
    void whatRequiresThemIsAnsweredFromThem() throws Exception {
        try (AnvilNode anvil = AnvilNode.start();
                GethNode geth = GethNode.start("--gcmode", "archive")) {
            for (Map.Entry<String, String> node : Map.of(AnvilNode.CHAIN_ID, anvil.url(), GethNode.CHAIN_ID, geth.url())
                    .entrySet()) {
                JsonRpcClient direct = new JsonRpcClient(node.getValue());
                accounts.clear();
                fill(direct);
                try (LocalProxy weir = proxy(node.getKey(), node.getValue(), node.getValue())) {
                    assertFactsAreProven(weir, direct);
                    for (Object[] never : List.of(
                            new Object[] {Map.of("to", accounts.get(0)), "latest"},
                            new Object[] {accounts.get(0), "pending"})) {
                        String method = never[0] instanceof Map ? "eth_call" : "eth_getBalance";
                        assertThat(required(weir, method, never).body()).contains("the result cannot be proven");
                    }
                }
            }
        }
    }

    @Test
    void thoseOfAnvilAreProven() {
        try (AnvilNode node = AnvilNode.start()) {
            fill(new JsonRpcClient(node.url()));
            try (LocalProxy weir = proxy(AnvilNode.CHAIN_ID, node.url())) {
                assertProven(weir, new JsonRpcClient(node.url()));
            }
        }
    }

    @Test
    void thoseOfGethAreProven() {
        try (GethNode node = GethNode.start()) {
            fill(new JsonRpcClient(node.url()));
            try (LocalProxy weir = proxy(GethNode.CHAIN_ID, node.url())) {
                assertProven(weir, new JsonRpcClient(node.url()));
            }
        }
    }

    /** Lies about an account, each by what it does to an honest answer. */
    private static Map<String, Consumer<ObjectNode>> lies(ObjectNode other) {
        return Map.ofEntries(
                Map.entry("balance", answer -> answer.put("balance", "0x1234567")),
                Map.entry("nonce", answer -> answer.put("nonce", "0x77")),
                Map.entry("code", answer -> answer.put("codeHash", "0x" + "1".repeat(64))),
                Map.entry("storage root", answer -> answer.put("storageHash", "0x" + "2".repeat(64))),
                Map.entry("value", answer -> slot(answer).put("value", "0x999")),
                Map.entry("no value", answer -> slot(answer).put("value", "0x0")),
                Map.entry("proof of another account", answer -> answer.set("accountProof", other.get("accountProof"))),
                Map.entry("all of another account", answer -> answer.setAll(other.deepCopy())),
                Map.entry(
                        "truncated",
                        answer -> last(answer, "accountProof").accept(text -> text.substring(0, text.length() - 2))),
                Map.entry("padded", answer -> last(answer, "accountProof").accept(text -> text + "00")),
                Map.entry(
                        "a node missing",
                        answer -> nodes(answer).remove(nodes(answer).size() - 1)),
                Map.entry(
                        "a node twice",
                        answer -> nodes(answer).add(nodes(answer).get(0))),
                Map.entry(
                        "in another order",
                        answer -> nodes(answer)
                                .insert(0, nodes(answer).get(nodes(answer).size() - 1))),
                Map.entry("no text", answer -> nodes(answer).insertObject(0)),
                Map.entry("absent", answer -> nodes(answer).removeAll()));
    }

    private static ObjectNode slot(ObjectNode answer) {
        return (ObjectNode) answer.get("storageProof").get(0);
    }

    private static ArrayNode nodes(ObjectNode answer) {
        return (ArrayNode) answer.get("accountProof");
    }

    private static Consumer<java.util.function.UnaryOperator<String>> last(ObjectNode answer, String list) {
        ArrayNode nodes = (ArrayNode) answer.get(list);
        return change -> nodes.set(
                nodes.size() - 1, change.apply(nodes.get(nodes.size() - 1).asString()));
    }

    /** Starts a node that lies about accounts, and about code in one way. */
    private static MadeNode liar(JsonRpcClient honest, String name, Consumer<ObjectNode> lie) throws IOException {
        return new MadeNode(Map.of(), (method, params) -> {
            Object[] given = params.isMissingNode()
                    ? new Object[0]
                    : params.valueStream().toArray();
            JsonNode answer = honest.answer(method, given);
            if (answer.has("error")) {
                return Map.entry("error", answer.get("error"));
            }
            if (method.equals("eth_getCode") && name.equals("code")) {
                return MadeNode.result("0x6001");
            }
            if (method.equals("eth_getProof")) {
                lie.accept((ObjectNode) answer.get("result"));
            }
            return MadeNode.result(answer.get("result"));
        });
    }

    private static void assertTold(LocalProxy weir, JsonRpcClient honest, MadeNode liar, String contract, String lie)
            throws IOException, InterruptedException {
        JsonNode right = honest.result("eth_getProof", contract, List.of(word(1)), "latest");
        AtomicInteger next = new AtomicInteger(SLOTS + 8);
        await().atMost(PATIENCE).until(() -> {
            for (int i = 0; i < 10; i++) {
                // Of a slot that nobody asked about, so that a node is asked.
                List<String> slots = List.of(word(1), word(next.incrementAndGet()));
                JsonNode answer = JsonRpcClient.parsed(required(weir, "eth_getProof", contract, slots, "latest")
                        .body());
                assertThat(answer.at("/result/accountProof"))
                        .as(lie + ": " + answer.get("error"))
                        .isEqualTo(right.get("accountProof"));
                assertThat(answer.at("/result/storageProof/0")).as(lie).isEqualTo(right.at("/storageProof/0"));
            }
            return liar.asked("eth_getProof") > 0;
        });
        assertThat(weir.admin().metric("weir_upstream_bad_answers_total", "upstream=\"node0\""))
                .as(lie)
                .isPositive();
        for (String method : METHODS.subList(0, METHODS.size() - 1)) {
            Object[] fact = method.equals("eth_getStorageAt")
                    ? new Object[] {contract, word(1), "latest"}
                    : new Object[] {contract, "latest"};
            HttpResponse<String> answer = required(weir, method, fact);
            assertThat(JsonRpcClient.parsed(answer.body()).get("result"))
                    .as("%s: %s: %s", lie, method, answer.body())
                    .isEqualTo(honest.result(method, fact));
        }
    }

    @Test
    void noLieAboutThemIsServed() throws Exception {
        try (AnvilNode node = AnvilNode.start()) {
            JsonRpcClient honest = new JsonRpcClient(node.url());
            fill(honest);
            ObjectNode other = (ObjectNode) honest.result("eth_getProof", accounts.get(0), List.of(word(1)), "latest");
            for (Map.Entry<String, Consumer<ObjectNode>> lie : lies(other).entrySet()) {
                try (MadeNode liar = liar(honest, lie.getKey(), lie.getValue());
                        LocalProxy weir = proxy(AnvilNode.CHAIN_ID, liar.url(), node.url())) {
                    await().atMost(PATIENCE)
                            .until(() -> weir.admin().health("dev", "node0").equals("healthy")
                                    && weir.admin().health("dev", "node1").equals("healthy"));
                    assertTold(weir, honest, liar, accounts.get(3), lie.getKey());
                }
            }
        }
    }
}
