package io.weir.l2.deploy.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.l2.deploy.Samples;
import io.weir.testing.JsonRpcSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/** Subscriptions over a WebSocket of the proxy, in front of two layer-2 nodes that have HTTP only. */
@Execution(ExecutionMode.CONCURRENT)
final class LayerTwoSubscriptionsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String SUBSCRIBE = "starknet_subscribeNewHeads";
    private static final String EVENTS = "starknet_subscribeEvents";

    @TempDir
    private Path scratch;

    private final ChainNodes nodes = new ChainNodes();
    private final ChainNodes.Node first = nodes.node("first");
    private final ChainNodes.Node second = nodes.node("second");
    private LayerTwoProxy proxy;
    private JsonRpcSocket socket;

    @BeforeEach
    void start() {
        head(105);
        proxy = LayerTwoProxy.in(scratch)
                .network("main", nodes.url("first"), nodes.url("second"))
                .setting("networks.main.upstreams.n1.tier = 0")
                .setting("networks.main.health.interval = 1 s")
                .start();
        await().atMost(PATIENCE)
                .until(() -> proxy.client("main").result("starknet_blockNumber").asLong(), head -> head == 105);
        socket = JsonRpcSocket.connect("ws://127.0.0.1:" + proxy.process().port() + "/main/ws/v3/demo");
    }

    @AfterEach
    void stop() {
        socket.close();
        proxy.close();
        nodes.close();
    }

    private void head(long number) {
        first.head(number);
        second.head(number);
    }

    private JsonNode next() {
        return Samples.json(socket.await());
    }

    private JsonNode answer(String method, String params) {
        socket.send("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" + method + "\",\"params\":" + params + "}");
        JsonNode answer = next();
        assertThat(answer.path("id").asInt()).as("%s", answer).isEqualTo(7);
        return answer;
    }

    private String subscribe(String params) {
        JsonNode result = answer(SUBSCRIBE, params).path("result");
        assertThat(result.isString()).as("%s", result).isTrue();
        return result.asString();
    }

    private JsonNode notification(String method, String id) {
        JsonNode notification = next();
        assertThat(notification.path("method").asString())
                .as("%s", notification)
                .isEqualTo(method);
        assertThat(notification.path("params").path("subscription_id").asString())
                .isEqualTo(id);
        return notification.path("params").path("result");
    }

    private JsonNode header(String id) {
        return notification("starknet_subscriptionNewHeads", id);
    }

    private void expectHeads(String id, String branch, long from, long to) {
        for (long number = from; number <= to; number++) {
            assertThat(header(id).path("block_hash").asString()).isEqualTo(branch + Long.toHexString(number));
        }
    }

    @Test
    void headsComeInOrderWithTheMembersOfABlockHeaderAndWithoutGaps() {
        String id = subscribe("{}");
        head(108);
        JsonNode header = header(id);
        assertThat(header.propertyNames())
                .containsExactly(
                        "block_hash",
                        "parent_hash",
                        "block_number",
                        "new_root",
                        "timestamp",
                        "sequencer_address",
                        "l1_gas_price",
                        "l2_gas_price",
                        "l1_data_gas_price",
                        "l1_da_mode",
                        "starknet_version");
        assertThat(header.path("block_hash").asString()).isEqualTo("0xb6a");
        expectHeads(id, "0xb", 107, 108);
    }

    @Test
    void aReorganisationIsToldBeforeTheNewBranch() {
        String id = subscribe("[]");
        head(108);
        expectHeads(id, "0xb", 106, 108);
        first.fork(107);
        second.fork(107);
        head(109);
        assertThat(notification("starknet_subscriptionReorg", id))
                .hasToString("{\"starting_block_hash\":\"0xb6b\",\"starting_block_number\":107,"
                        + "\"ending_block_hash\":\"0xb6c\",\"ending_block_number\":108}");
        expectHeads(id, "0xc", 107, 109);
    }

    @Test
    void aBlockThatReplacesTheHeadIsToldOnceNoNodeHasTheHead() {
        String id = subscribe("{\"block_id\":\"latest\"}");
        head(106);
        expectHeads(id, "0xb", 106, 106);
        first.fork(106);
        second.fork(106);
        assertThat(notification("starknet_subscriptionReorg", id)
                        .path("starting_block_number")
                        .asLong())
                .isEqualTo(106);
        expectHeads(id, "0xc", 106, 106);
    }

    @Test
    void theLossOfANodeLeavesNoGap() {
        String id = subscribe("{}");
        head(106);
        expectHeads(id, "0xb", 106, 106);
        first.lose();
        second.head(112);
        expectHeads(id, "0xb", 107, 112);
    }

    @Test
    void aSubscriptionFromAnEarlierBlockGetsTheBlocksFromThereOn() {
        String id = subscribe("{\"block_id\":{\"block_number\":40}}");
        expectHeads(id, "0xb", 40, 105);
        head(107);
        expectHeads(id, "0xb", 106, 107);
        String byHash = subscribe("[{\"block_hash\":\"0xb6a\"}]");
        expectHeads(byHash, "0xb", 106, 107);
    }

    @Test
    void aStartThatIsTooEarlyUnknownOrNoBlockIsRefused() {
        head(1_200);
        await().atMost(PATIENCE)
                .until(() -> proxy.client("main").result("starknet_blockNumber").asLong(), head -> head == 1_200);
        assertThat(answer(SUBSCRIBE, "[{\"block_number\":175}]")
                        .path("error")
                        .path("code")
                        .asInt())
                .isEqualTo(68);
        assertThat(answer(SUBSCRIBE, "[{\"block_number\":5000}]")
                        .path("error")
                        .path("code")
                        .asInt())
                .isEqualTo(24);
        assertThat(answer(SUBSCRIBE, "{\"block_id\":\"pre_confirmed\"}").path("error"))
                .hasToString("{\"code\":-32602,\"message\":\"params.block_id: \\\"pre_confirmed\\\""
                        + " (expected: a block by its number or hash, or latest)\"}");
        String id = subscribe("[{\"block_number\":176}]");
        expectHeads(id, "0xb", 176, 1_200);
    }

    @Test
    void unsubscribingAnswersTrueOnceAndAnUnknownIdIsTheNetworksError() {
        String id = subscribe("{}");
        String params = "{\"subscription_id\":\"" + id + "\"}";
        assertThat(answer("starknet_unsubscribe", params).path("result").asBoolean())
                .isTrue();
        assertThat(answer("starknet_unsubscribe", params)
                        .path("error")
                        .path("code")
                        .asInt())
                .isEqualTo(66);
        assertThat(answer("starknet_unsubscribe", "{}")
                        .path("error")
                        .path("code")
                        .asInt())
                .isEqualTo(-32602);
        head(106);
        String later = subscribe("[]");
        head(108);
        assertThat(header(later).path("block_number").asLong()).isGreaterThan(105);
    }

    @Test
    void theStatusOfATransactionIsToldWheneverItChanges() {
        JsonNode result = answer("starknet_subscribeTransactionStatus", "{\"transaction_hash\":\"0x00Ab\"}")
                .path("result");
        assertThat(result.isString()).as("%s", result).isTrue();
        for (String status : new String[] {"RECEIVED", "ACCEPTED_ON_L2", "ACCEPTED_ON_L1"}) {
            first.finality(status);
            second.finality(status);
            assertThat(notification("starknet_subscriptionTransactionStatus", result.asString()))
                    .hasToString("{\"transaction_hash\":\"0xab\",\"status\":{\"finality_status\":\"" + status
                            + "\",\"execution_status\":\"SUCCEEDED\"}}");
        }
        assertThat(answer("starknet_subscribeTransactionStatus", "[]")
                        .path("error")
                        .path("code")
                        .asInt())
                .isEqualTo(-32602);
    }

    private String subscribeEvents(String params) {
        JsonNode result = answer(EVENTS, params).path("result");
        assertThat(result.isString()).as("%s", result).isTrue();
        return result.asString();
    }

    private void expectEvents(String id, String branch, long from, long to, int... indexes) {
        for (long number = from; number <= to; number++) {
            for (int index : indexes) {
                assertThat(notification("starknet_subscriptionEvents", id))
                        .hasToString("{\"from_address\":\"0x0a" + index + "\",\"keys\":[\"0x" + Long.toHexString(number)
                                + "\",\"0x" + index + "\"],\"data\":[],\"block_hash\":\"" + branch
                                + Long.toHexString(number) + "\",\"block_number\":" + number
                                + ",\"finality_status\":\"ACCEPTED_ON_L2\"}");
            }
        }
    }

    @Test
    void eventsComeInOrderAndTheLossOfANodeLeavesNoGap() {
        String id = subscribeEvents("{\"block_id\":\"latest\",\"finality_status\":\"ACCEPTED_ON_L2\"}");
        head(108);
        expectEvents(id, "0xb", 106, 108, 0, 1, 2);
        first.lose();
        second.head(112);
        expectEvents(id, "0xb", 109, 112, 0, 1, 2);
    }

    @Test
    void eventsFromAnEarlierBlockOnComeBeforeLaterOnesWithoutAGap() {
        String id = subscribeEvents("{\"block_id\":{\"block_number\":20}}");
        head(107);
        expectEvents(id, "0xb", 20, 107, 0, 1, 2);
        answer("starknet_unsubscribe", "[\"" + id + "\"]");
        String byHash = subscribeEvents("[\"0xa1\",null,{\"block_hash\":\"0xb64\"}]");
        expectEvents(byHash, "0xb", 100, 107, 1);
        head(108);
        expectEvents(byHash, "0xb", 108, 108, 1);
    }

    @Test
    void eventsFromAnEarlierBlockOnAreWholeWhileThoseOfTheNewestBlocksAreMissing() {
        String heads = subscribe("[]");
        subscribeEvents("[\"0xdead\"]");
        CountDownLatch given = new CountDownLatch(1);
        first.hold("starknet_getEvents", given);
        second.hold("starknet_getEvents", given);
        head(107);
        expectHeads(heads, "0xb", 106, 107);
        String id = subscribeEvents("[\"0xa0\",null,{\"block_number\":100}]");
        given.countDown();
        expectEvents(id, "0xb", 100, 107, 0);
        answer("starknet_unsubscribe", "[\"" + heads + "\"]");
        head(108);
        expectEvents(id, "0xb", 108, 108, 0);
    }

    @Test
    void eventsAreChosenByAddressAndKeysOnceForAllClients() {
        String byAddress = subscribeEvents("{\"from_address\":\"0x00A1\"}");
        head(106);
        expectEvents(byAddress, "0xb", 106, 106, 1);
        answer("starknet_unsubscribe", "[\"" + byAddress + "\"]");
        String byKeys = subscribeEvents("[null,[[\"0x6b\",\"0x006D\"],[]]]");
        head(109);
        expectEvents(byKeys, "0xb", 107, 107, 0, 1, 2);
        // The last event of the newest block: the next subscription begins behind it.
        expectEvents(byKeys, "0xb", 109, 109, 0, 1, 2);
        answer("starknet_unsubscribe", "[\"" + byKeys + "\"]");
        String byBoth = subscribeEvents("[[\"0xa1\",\"0xa2\"],[[],[\"0x0\",\"0x2\"]]]");
        head(111);
        expectEvents(byBoth, "0xb", 110, 111, 2);
    }

    @Test
    void aReorganisationIsToldAfterTheEventsOfEarlierBlocksAndBeforeThoseOfTheNewBranch() {
        String id = subscribeEvents("[\"0xa0\"]");
        head(108);
        expectEvents(id, "0xb", 106, 108, 0);
        first.fork(107);
        second.fork(107);
        head(109);
        assertThat(notification("starknet_subscriptionReorg", id))
                .hasToString("{\"starting_block_hash\":\"0xb6b\",\"starting_block_number\":107,"
                        + "\"ending_block_hash\":\"0xb6c\",\"ending_block_number\":108}");
        expectEvents(id, "0xc", 107, 109, 0);
    }

    @Test
    void aSubscriptionToEventsThatCannotBeServedIsRefused() {
        assertThat(answer(EVENTS, "{\"block_id\":{\"block_number\":5000}}")
                        .path("error")
                        .path("code")
                        .asInt())
                .isEqualTo(24);
        head(1_200);
        await().atMost(PATIENCE)
                .until(() -> proxy.client("main").result("starknet_blockNumber").asLong(), head -> head == 1_200);
        assertThat(answer(EVENTS, "{\"block_id\":{\"block_number\":175}}")
                        .path("error")
                        .path("code")
                        .asInt())
                .isEqualTo(68);
        assertThat(answer(EVENTS, "[null,null,null,\"PRE_CONFIRMED\"]").path("error"))
                .hasToString("{\"code\":-32602,\"message\":\"params.finality_status: \\\"PRE_CONFIRMED\\\""
                        + " (expected: ACCEPTED_ON_L2)\"}");
        assertThat(answer(EVENTS, "{\"keys\":[\"0x1\"]}").path("error"))
                .hasToString("{\"code\":-32602,\"message\":\"params.keys: \\\"0x1\\\" (expected: a list)\"}");
    }

    @Test
    void overHttpThereAreNoSubscriptions() {
        assertThat(proxy.client("main")
                        .answer(SUBSCRIBE)
                        .path("error")
                        .path("code")
                        .asInt())
                .isEqualTo(-32601);
        assertThat(first.calls(SUBSCRIBE)).isEmpty();
        assertThat(second.calls(SUBSCRIBE)).isEmpty();
    }
}
