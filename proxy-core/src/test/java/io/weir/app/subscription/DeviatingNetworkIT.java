package io.weir.app.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIterable;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.Checkout;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.MarkdownBlocks;
import io.weir.testing.PluginBuilder;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestBlock;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A network whose nodes serve Ethereum's methods, but whose blocks have other names of members, no uncles, and hashes by a rule of their
 * own. The plugin of the guide describes it.
 */
final class DeviatingNetworkIT {

    private static final JsonMapper JSON = new JsonMapper();
    private static final String SEALS = "seals";
    private static final Map<String, String> NAMES =
            Map.of("number", "height", "hash", "id", "parentHash", "parentId", "timestamp", "time");

    @TempDir
    private static Path scratch;

    private final TestChain chain = new TestChain(new Random().nextLong(), new SignedTransactions(), Memory.REMEMBERS);
    private final SubscribingNode first = node();
    private final SubscribingNode second = node();
    private LocalProxy weir;
    private JsonRpcClient http;

    @BeforeAll
    static void buildThePlugin() throws IOException {
        MarkdownBlocks guide = MarkdownBlocks.of(Checkout.find().root().resolve("plugins/README.md"));
        PluginBuilder.plugin("sidechain")
                .source("org.example.sidechain.Sidechain", guide.in("java").get(1))
                .jar(Files.createDirectories(scratch.resolve("plugins")));
    }

    @BeforeEach
    void start() {
        chain.mine(20);
        weir = LocalProxy.start(ConfigurationText.of("side", Long.toString(SignedTransactions.CHAIN_ID))
                .networkSetting("kind = sidechain")
                .networkSetting("head.max-age = 100 ms")
                .upstream("first", first.url())
                .networkSetting("upstreams.first.ws-url = \"" + first.socketUrl() + '"')
                .upstream("second", second.url())
                .networkSetting("upstreams.second.ws-url = \"" + second.socketUrl() + '"')
                .setting("plugins { path = [\"" + scratch.resolve("plugins") + "\"], data = \""
                        + scratch.resolve("data") + "\" }")
                .text());
        http = new JsonRpcClient(weir.url());
        for (String id : List.of("first", "second")) {
            await().until(() -> weir.admin().health("side", id).equals("healthy"));
        }
    }

    @AfterEach
    void stop() {
        weir.close();
        first.close();
        second.close();
    }

    private SubscribingNode node() {
        SubscribingNode node = new SubscribingNode(chain, SEALS);
        node.lie((method, params, truth) -> {
            if (method.equals("side_getSealer")) {
                return ChainAnswer.result("\"sealer of " + params.path(0).asString() + '"');
            }
            boolean block = method.startsWith("eth_getBlockBy") && truth.text().startsWith("{");
            return block ? ChainAnswer.result(deviating(truth.text())) : truth;
        });
        return node;
    }

    private static String deviating(String text) {
        ObjectNode block = (ObjectNode) JSON.readTree(text);
        block.remove(List.of("sha3Uncles", "uncles"));
        NAMES.forEach((name, other) -> block.set(other, block.remove(name)));
        return block.put("sealer", "0x5ea1").toString();
    }

    private HttpResponse<String> post(String method, Object... params) {
        return http.post(JsonRpcClient.call(method, params));
    }

    private int asked(String method) {
        return first.count(method) + second.count(method);
    }

    private String cacheStatus(String method, Object... params) {
        return post(method, params).headers().firstValue("Cache-Status").orElse("");
    }

    @Test
    void callsAreCheckedHeldToOneHeadAndAnsweredFromMemory() {
        TestBlock block = chain.state().at(18);
        JsonNode shown = http.result("eth_getBlockByHash", block.hash(), false);
        assertThat(shown.path("id").asString()).isEqualTo(block.hash());
        await().until(() ->
                cacheStatus("eth_getBlockByHash", block.hash(), false).equals("weir; hit"));
        int before = asked("eth_getBlockByHash");
        assertThat(http.result("eth_getBlockByHash", block.hash(), false)).isEqualTo(shown);
        assertThat(asked("eth_getBlockByHash")).isEqualTo(before);

        assertThat(http.result("eth_blockNumber").asString()).isEqualTo("0x14");
        assertThat(http.result("eth_getBlockByNumber", "latest", false)
                        .path("height")
                        .asString())
                .isEqualTo("0x14");
        assertThat(http.result("side_getSealer", "latest").asString()).isEqualTo("sealer of 0x14");
        assertThat(http.answer("eth_getBlockByHash", "0x1", false)
                        .at("/error/code")
                        .asInt())
                .isEqualTo(-32602);
    }

    @Test
    void transactionsAndReceiptsOfItsBlocksAnswerFromMemory() {
        chain.mineOf(2);
        TestBlock block = chain.state().at(21);
        String hash = block.transactions().get(1).hash().hex();
        await().until(() -> http.result("eth_blockNumber").asString().equals("0x15"));
        for (String method : List.of("eth_getTransactionByHash", "eth_getTransactionReceipt")) {
            assertThat(http.result(method, hash).path("blockHash").asString()).isEqualTo(block.hash());
            await().until(() -> cacheStatus(method, hash).startsWith("weir; hit"));
        }
    }

    @Test
    void headsAndLogsGoOnInOrderWhenANodeIsLostAndBlocksAreReplaced() {
        try (Subscriber client = new Subscriber(weir.socketUrl())) {
            String heads = client.subscribe("newHeads");
            String logs = client.subscribe("logs", Map.of());
            chain.mineOf(2);
            isTold(client, heads, logs, 21);
            first.close();
            chain.mineOf(2);
            isTold(client, heads, logs, 22);
            List<String> replaced = logsOf(22);
            chain.fork(1, 1);
            List<String> removed = new ArrayList<>();
            while (removed.size() < replaced.size()) {
                removed.add(place(client.next(logs)));
            }
            assertThat(removed)
                    .containsExactlyInAnyOrderElementsOf(
                            replaced.stream().map(log -> log + " true").toList());
            isTold(client, heads, logs, 22);
            isTold(client, heads, logs, 23);
        }
    }

    private void isTold(Subscriber client, String heads, String logs, long number) {
        TestBlock block = chain.state().at(number);
        JsonNode header = client.next(heads);
        assertThatIterable(header.propertyNames())
                .containsExactly("id", "height", "parentId", "time", "sealer", "logsBloom");
        assertThat(header.path("id").asString()).isEqualTo(block.hash());
        for (String log : logsOf(number)) {
            assertThat(place(client.next(logs))).isEqualTo(log + " false");
        }
    }

    private List<String> logsOf(long number) {
        String filter = "[{\"blockHash\":\"" + chain.state().at(number).hash() + "\"}]";
        List<String> places = new ArrayList<>();
        JSON.readTree(ChainAnswers.answer(chain.state(), "eth_getLogs", filter).text())
                .forEach(log -> places.add(log.path("blockHash").asString()
                        + ' '
                        + log.path("logIndex").asString()));
        return places;
    }

    private static String place(JsonNode log) {
        return log.path("blockHash").asString()
                + ' '
                + log.path("logIndex").asString()
                + ' '
                + log.path("removed").asBoolean();
    }

    @Test
    void filtersAreServedFromTheSameStream() {
        String blocks = http.result("eth_newBlockFilter").asString();
        String logs = http.result("eth_newFilter", Map.of()).asString();
        chain.mineOf(2);
        List<String> hashes = new ArrayList<>();
        List<String> found = new ArrayList<>();
        await().until(() -> {
            http.result("eth_getFilterChanges", blocks).forEach(hash -> hashes.add(hash.asString()));
            http.result("eth_getFilterChanges", logs).forEach(log -> found.add(place(log)));
            return !hashes.isEmpty() && found.size() == logsOf(21).size();
        });
        assertThat(hashes).containsExactly(chain.state().at(21).hash());
        assertThat(found)
                .containsExactlyElementsOf(
                        logsOf(21).stream().map(log -> log + " false").toList());
    }

    @Test
    void anExtraKindOfSubscriptionGoesOnAtAnotherNodeAndTellsEachResultOnce() {
        try (Subscriber client = new Subscriber(weir.socketUrl())) {
            String id = client.subscribe(SEALS);
            SubscribingNode serving = first.subscriptions(SEALS) == 1 ? first : second;
            serving.tell(SEALS, seal(1));
            assertThat(client.next(id)).hasToString(seal(1));
            serving.close();
            SubscribingNode spare = serving == first ? second : first;
            await().until(() -> spare.subscriptions(SEALS) == 1);
            spare.tell(SEALS, seal(1));
            spare.tell(SEALS, seal(2));
            assertThat(client.next(id)).hasToString(seal(2));
        }
    }

    private static String seal(int number) {
        return "{\"hash\":\"0x%064x\"}".formatted(number);
    }
}
