package io.weir.l2.deploy.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.l2.deploy.Samples;
import io.weir.testing.JsonRpcClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The head and the stored results of a layer-2 network of two nodes, one of which lags. */
@Execution(ExecutionMode.CONCURRENT)
final class LayerTwoHeadIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String NUMBER = "starknet_blockNumber";
    private static final String PLACE = "starknet_blockHashAndNumber";
    private static final String NONCE = "starknet_getNonce";
    private static final String RECEIPT = "starknet_getTransactionReceipt";
    private static final String EVENTS = "starknet_getEvents";
    private static final String BLOCK = "starknet_getBlockWithTxHashes";
    private static final int CALLS = 200;

    @TempDir
    private Path scratch;

    private final ChainNodes nodes = new ChainNodes();
    private final ChainNodes.Node good = nodes.node("good");
    private final ChainNodes.Node lagging = nodes.node("lagging");
    private LayerTwoProxy proxy;
    private JsonRpcClient client;

    @BeforeEach
    void start() {
        good.head(105);
        lagging.head(100);
        good.accepted(60);
        lagging.accepted(50);
        open("64");
    }

    private void open(String depth) {
        proxy = LayerTwoProxy.in(scratch)
                .network("main", nodes.url("good"), nodes.url("lagging"))
                .setting("networks.main.finality.depth = " + depth)
                .setting("networks.main.upstreams.n1.tier = 0")
                .setting("networks.main.health.interval = 1 s")
                .start();
        client = proxy.client("main");
        await().atMost(PATIENCE).until(() -> client.result(NUMBER).asLong(), head -> head == 105);
    }

    @AfterEach
    void stop() {
        proxy.close();
        nodes.close();
    }

    private static long number(JsonNode hex) {
        return Long.parseLong(hex.asString().substring(2), 16);
    }

    private JsonNode named(String method) {
        String params = "{\"contract_address\":\"0x1\",\"block_id\":\"latest\"}";
        return Samples.json(client.post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":"
                                + params + "}")
                        .body())
                .path("result");
    }

    @Test
    void theHeadAndReadsOfItNeverGoBack() {
        long highest = 0;
        for (int i = 0; i < CALLS; i++) {
            if (i % 50 == 49) {
                good.head(105 + i / 50);
                lagging.head(100 + i / 50);
            }
            long[] seen = {
                client.result(NUMBER).asLong(),
                number(client.result(NONCE, "latest", "0x1")),
                number(named(NONCE)),
                client.result(PLACE).path("block_number").asLong(),
                client.result("starknet_call", Map.of("a", i)).path(0).asLong()
            };
            for (long one : seen) {
                assertThat(one).isGreaterThanOrEqualTo(highest);
                highest = one;
            }
        }
        assertThat(highest).isGreaterThanOrEqualTo(105);
    }

    @Test
    void theHeadsHashIsThatOfItsNumber() {
        assertThat(client.result(PLACE)).hasToString("{\"block_hash\":\"0xb69\",\"block_number\":105}");
    }

    private String askedForEvents(Object from, Object to) {
        int before = good.calls(EVENTS).size();
        client.result(EVENTS, Map.of("from_block", from, "to_block", to));
        assertThat(lagging.calls(EVENTS)).isEmpty();
        List<JsonNode> calls = good.calls(EVENTS);
        assertThat(calls).hasSize(before + 1);
        JsonNode filter = calls.get(before).path("params").path(0);
        return filter.path("from_block") + " " + filter.path("to_block");
    }

    @Test
    void theEndsOfARangeOfEventsAreHeldToTheHead() {
        String head = "{\"block_number\":105}";
        assertThat(askedForEvents(block(90), "latest")).isEqualTo("{\"block_number\":90} " + head);
        assertThat(askedForEvents("latest", "latest")).isEqualTo(head + " " + head);
        assertThat(askedForEvents(block(102), block(104))).isEqualTo("{\"block_number\":102} {\"block_number\":104}");
        assertThat(askedForEvents("latest", "pre_confirmed")).isEqualTo("\"latest\" \"pre_confirmed\"");
    }

    @Test
    void theBlockInTheMakingIsAskedForAsItCame() {
        client.result(NONCE, "pre_confirmed", "0x1");
        assertThat(good.calls(NONCE))
                .singleElement()
                .satisfies(call ->
                        assertThat(call.path("params").path(0).asString()).isEqualTo("pre_confirmed"));
        assertThat(lagging.calls(NONCE)).isEmpty();
    }

    @Test
    void theBlockAcceptedOnTheFirstLayerIsTheOneOnWhichTwoNodesAgree() {
        for (int i = 0; i < 10; i++) {
            assertThat(number(client.result(NONCE, "l1_accepted", "0x1"))).isEqualTo(50);
        }
    }

    @Test
    void aTagThatOneNodeAloneKnowsIsAnsweredByThatNodeWhereItsWordDoesNotCount() {
        proxy.close();
        good.lacksFinalTag();
        // Its word counts up to the depth under the head.
        open("1000");
        for (int i = 0; i < 10; i++) {
            assertThat(number(client.result(NONCE, "l1_accepted", "0x1"))).isEqualTo(50);
        }
        assertThat(lagging.calls(NONCE)).isNotEmpty();
    }

    @Test
    void theErrorOfTheNodesIsTheAnswerIfNoneKnowsTheTag() {
        good.lacksFinalTag();
        lagging.lacksFinalTag();
        assertThat(client.answer(NONCE, "l1_accepted", "0x1")
                        .path("error")
                        .path("code")
                        .asInt())
                .isEqualTo(-32602);
    }

    @Test
    void aReceiptThatNamesANewerBlockRaisesTheHeadButNotThatOfABlockInTheMaking() {
        good.head(106);
        assertThat(client.result(NONCE, Map.of("block_number", 106), "0x1").asString())
                .as("a node that has it is asked")
                .isEqualTo("0x6a");
        good.receipt("{\"events\":[],\"block_number\":109}");
        client.result(RECEIPT, "0x1");
        good.receipt("{\"events\":[],\"block_hash\":\"0xb6a\",\"block_number\":106}");
        lagging.receipt("{\"events\":[],\"block_hash\":\"0xb6a\",\"block_number\":106}");
        client.result(RECEIPT, "0x2");
        assertThat(client.result(NUMBER).asLong()).isEqualTo(106);
    }

    @Test
    void aNodeThatNamesAHeadWhichItDoesNotShowGetsNoCalls() {
        lagging.showsNothing();
        lagging.head(1_000_000);
        await().atMost(PATIENCE)
                .until(() -> proxy.process().admin().metric("weir_upstream_healthy", "network=\"main\"") == 1);
        assertThat(client.result(NUMBER).asLong()).isEqualTo(105);
        assertThat(number(client.result(NONCE, "latest", "0x1"))).isEqualTo(105);
    }

    private int sent(String method) {
        return good.calls(method).size() + lagging.calls(method).size();
    }

    private Map<String, ?> block(long number) {
        return Map.of("block_number", number);
    }

    /** Repeats a call until no node gets it any more. */
    private void awaitStored(String method, Object... params) {
        await().atMost(PATIENCE).until(() -> {
            client.result(method, params);
            int before = sent(method);
            client.result(method, params);
            return sent(method) == before;
        });
    }

    @Test
    void stateOfABlockThatTwoNodesCallAcceptedOnTheFirstLayerIsAskedForOnce() {
        awaitStored(NONCE, block(40), "0x1");
        assertThat(client.result(NONCE, block(40), "0x1").asString()).isEqualTo("0x28");
        int before = sent(NONCE);
        for (int i = 0; i < 5; i++) {
            // Of these two, one node or none calls the block accepted.
            client.result(NONCE, block(55), "0x1");
            client.result(NONCE, block(100), "0x1");
            client.result(NONCE, "pre_confirmed", "0x1");
        }
        assertThat(sent(NONCE)).isGreaterThanOrEqualTo(before + 15);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "starknet_getClass",
                "starknet_getClassAt",
                "starknet_getStateUpdate",
                "starknet_traceBlockTransactions"
            })
    void classesStateUpdatesAndTracesOfSuchABlockAreAskedForOnce(String method) {
        awaitStored(method, block(40));
        assertThat(client.result(method, block(40)).findValue("of").asLong()).isEqualTo(40);
        callsReachNodes(method, block(100));
    }

    @Test
    void aBlockIsStoredOnlyWithItsLastStatusAndIfTheOtherNodeNamesItToo() {
        awaitStored(BLOCK, block(40));
        assertThat(client.result(BLOCK, block(40)).path("status").asString()).isEqualTo("ACCEPTED_ON_L1");
        good.accepted(104);
        callsReachNodes(BLOCK, block(103));
        assertThat(proxy.process().admin().metric("weir_cache_answers_total", "outcome=\"unanchored\""))
                .isPositive();
    }

    private void callsReachNodes(String method, Object... params) {
        int before = sent(method);
        for (int i = 0; i < 10; i++) {
            client.result(method, params);
        }
        assertThat(sent(method)).isGreaterThanOrEqualTo(before + 10);
    }

    @Test
    void aReceiptIsStoredOnceItsBlockIsAcceptedOnTheFirstLayer() {
        String place = "\"block_hash\":\"0xb2d\",\"block_number\":45}";
        for (ChainNodes.Node node : List.of(good, lagging)) {
            node.receipt("{\"finality_status\":\"ACCEPTED_ON_L2\"," + place);
        }
        callsReachNodes(RECEIPT, "0x1");
        for (ChainNodes.Node node : List.of(good, lagging)) {
            node.receipt("{\"finality_status\":\"ACCEPTED_ON_L1\"," + place);
        }
        assertThat(client.result(RECEIPT, "0x1").path("finality_status").asString())
                .isEqualTo("ACCEPTED_ON_L1");
        awaitStored(RECEIPT, "0x1");
    }
}
