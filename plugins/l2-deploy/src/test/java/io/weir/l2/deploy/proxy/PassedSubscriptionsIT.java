package io.weir.l2.deploy.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.l2.deploy.Samples;
import io.weir.testing.JsonRpcSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Subscriptions that one layer-2 node with a WebSocket serves. */
final class PassedSubscriptionsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String PENDING = "starknet_subscribePendingTransactions";
    private static final String TOLD_PENDING = "starknet_subscriptionPendingTransactions";
    private static final String TRANSACTIONS = "starknet_subscribeNewTransactions";
    private static final String TOLD_TRANSACTION = "starknet_subscriptionNewTransaction";
    private static final String RECEIPTS = "starknet_subscribeNewTransactionReceipts";

    @TempDir
    private Path scratch;

    private final ChainNodes nodes = new ChainNodes();
    private final SocketNode first = new SocketNode(PENDING, TRANSACTIONS);
    private final SocketNode second = new SocketNode(PENDING);
    private LayerTwoProxy proxy;
    private JsonRpcSocket socket;

    @BeforeEach
    void start() {
        nodes.node("first").head(105);
        nodes.node("second").head(105);
        nodes.node("plain").head(105);
        proxy = LayerTwoProxy.in(scratch)
                .network("main", nodes.url("first"), nodes.url("second"))
                .setting("networks.main.upstreams.n0.ws-url = \"" + first.url() + "\"")
                .setting("networks.main.upstreams.n1.ws-url = \"" + second.url() + "\"")
                .network("plain", nodes.url("plain"))
                .start();
        for (String network : new String[] {"main", "plain"}) {
            await().atMost(PATIENCE)
                    .until(
                            () -> proxy.client(network)
                                    .result("starknet_blockNumber")
                                    .asLong(),
                            head -> head == 105);
        }
        socket = connect("main");
    }

    @AfterEach
    void stop() {
        socket.close();
        proxy.close();
        nodes.close();
        first.close();
        second.close();
    }

    private JsonRpcSocket connect(String network) {
        return JsonRpcSocket.connect("ws://127.0.0.1:" + proxy.process().port() + "/" + network + "/ws/v3/demo");
    }

    private JsonNode answer(JsonRpcSocket on, String method, String params) {
        on.send("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" + method + "\",\"params\":" + params + "}");
        JsonNode answer = Samples.json(on.await());
        assertThat(answer.path("id").asInt()).as("%s", answer).isEqualTo(7);
        return answer;
    }

    private String subscribe(String method, String params) {
        JsonNode result = answer(socket, method, params).path("result");
        assertThat(result.isString()).as("%s", result).isTrue();
        return result.asString();
    }

    private void expect(String method, String id, String member) {
        assertThat(Samples.json(socket.await()))
                .hasToString("{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\",\"params\":{\"subscription_id\":\""
                        + id + "\"," + member + "}}");
    }

    @Test
    void theNodeGetsTheParametersAndItsNotificationsComeUnderTheIdOfTheProxy() {
        String id = subscribe(TRANSACTIONS, "{\"finality_status\":[\"PRE_CONFIRMED\"]}");
        assertThat(first.subscriptions())
                .singleElement()
                .satisfies(call ->
                        assertThat(call.path("params")).hasToString("{\"finality_status\":[\"PRE_CONFIRMED\"]}"));
        first.tell(TOLD_TRANSACTION, "{\"transaction_hash\":\"0x1\"}");
        expect(TOLD_TRANSACTION, id, "\"result\":{\"transaction_hash\":\"0x1\"}");
        first.tell("starknet_subscriptionReorg", "{\"starting_block_number\":7}");
        expect("starknet_subscriptionReorg", id, "\"result\":{\"starting_block_number\":7}");
        assertThat(answer(socket, "starknet_unsubscribe", "{\"subscription_id\":\"" + id + "\"}")
                        .path("result")
                        .asBoolean())
                .isTrue();
        await().atMost(PATIENCE).until(() -> first.open() == 0);
    }

    @Test
    void aSubscriptionThatNoOtherNodeCanResumeEndsWithAnErrorWhenItsNodeGoes() {
        String id = subscribe(TRANSACTIONS, "[]");
        first.drop();
        expect(
                TOLD_TRANSACTION,
                id,
                "\"error\":{\"code\":-32603,\"message\":\"the upstream that served the subscription ended it:"
                        + " subscribe again\"}");
        assertThat(answer(socket, "starknet_unsubscribe", "[\"" + id + "\"]")
                        .path("error")
                        .path("code")
                        .asInt())
                .isEqualTo(66);
    }

    @Test
    void pendingTransactionsGoOnAtAnotherNodeAndNoneIsToldTwice() {
        String id = subscribe(PENDING, "[false]");
        first.tell(TOLD_PENDING, "\"0x1\"");
        expect(TOLD_PENDING, id, "\"result\":\"0x1\"");
        first.close();
        await().atMost(PATIENCE).until(() -> second.open() == 1);
        second.tell(TOLD_PENDING, "\"0x1\"");
        second.tell(TOLD_PENDING, "\"0x2\"");
        expect(TOLD_PENDING, id, "\"result\":\"0x2\"");
    }

    @Test
    void theErrorOfTheNodesIsTheAnswerIfNoneHasTheSubscription() {
        assertThat(answer(socket, RECEIPTS, "[]").path("error"))
                .hasToString("{\"code\":-32601,\"message\":\"Method not found\"}");
    }

    @Test
    void withoutAWebSocketTheErrorNamesWhatAllNodesServe() {
        try (JsonRpcSocket plain = connect("plain")) {
            assertThat(answer(plain, TRANSACTIONS, "{}").path("error"))
                    .hasToString("{\"code\":-32601,\"message\":\"starknet_subscribeNewTransactions: no upstream with a"
                            + " WebSocket serves it (served by all upstreams: starknet_subscribeNewHeads,"
                            + " starknet_subscribeTransactionStatus, starknet_subscribeEvents)\"}");
        }
    }
}
