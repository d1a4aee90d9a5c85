package io.weir.app.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Subscriptions that single nodes serve. */
final class PendingTransactionsIT {

    private static final String PENDING = "newPendingTransactions";
    private static final String VENDOR = "alchemy_minedTransactions";

    private final TestChain chain = new TestChain(new Random().nextLong(), new SignedTransactions(), Memory.FORGETS);

    private static LocalProxy weir(boolean sockets, SubscribingNode... nodes) {
        ConfigurationText text = Testnet.text();
        for (int i = 0; i < nodes.length; i++) {
            text.upstream("node" + i, nodes[i].url());
            if (sockets) {
                text.networkSetting("upstreams.node" + i + ".ws-url = \"" + nodes[i].socketUrl() + '"');
            }
        }
        LocalProxy weir = LocalProxy.start(text.text());
        for (int i = 0; i < nodes.length; i++) {
            String node = "node" + i;
            await().until(() -> weir.admin().health("testnet", node).equals("healthy"));
        }
        return weir;
    }

    private static String hash(int number) {
        return "\"0x%064x\"".formatted(number);
    }

    private static void isTold(Subscriber client, String id, int number) {
        assertThat(client.next(id)).hasToString(hash(number));
    }

    private static void stop(SubscribingNode node) {
        node.close();
    }

    private static void stop(Subscriber client) {
        client.close();
    }

    @Test
    void clientsShareOneNodesSubscriptionAndAnotherNodeTakesOver() {
        try (SubscribingNode first = new SubscribingNode(chain, PENDING);
                SubscribingNode second = new SubscribingNode(chain, PENDING);
                LocalProxy weir = weir(true, first, second);
                Subscriber one = new Subscriber(weir.socketUrl());
                Subscriber other = new Subscriber(weir.socketUrl())) {
            String id = one.subscribe(PENDING);
            String otherId = other.subscribe(PENDING, false);
            SubscribingNode serving = first.subscriptions(PENDING) == 1 ? first : second;
            SubscribingNode spare = serving == first ? second : first;
            assertThat(spare.subscriptions(PENDING)).isZero();
            serving.tell(PENDING, hash(1));
            isTold(one, id, 1);
            isTold(other, otherId, 1);

            serving.close();
            await().until(() -> spare.subscriptions(PENDING) == 1);
            spare.tell(PENDING, hash(1));
            spare.tell(PENDING, hash(2));
            isTold(one, id, 2);
            isTold(other, otherId, 2);

            one.answer("eth_unsubscribe", id);
            stop(other);
            await().until(() -> spare.subscriptions(PENDING) == 0);
        }
    }

    @Test
    void aFilterSharesTheNodesSubscriptionAndAnotherNodeTakesOver() {
        try (SubscribingNode first = new SubscribingNode(chain, PENDING);
                SubscribingNode second = new SubscribingNode(chain, PENDING);
                LocalProxy weir = weir(true, first, second)) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            String id = client.result("eth_newPendingTransactionFilter").asString();
            String whole =
                    client.result("eth_newPendingTransactionFilter", true).asString();
            await().until(() -> first.subscriptions(PENDING) + second.subscriptions(PENDING) == 2);
            SubscribingNode serving = first.subscriptions(PENDING) > 0 ? first : second;
            serving.tell(PENDING, hash(1));
            await().until(() ->
                    client.result("eth_getFilterChanges", id).toString().equals('[' + hash(1) + ']'));

            serving.close();
            SubscribingNode spare = serving == first ? second : first;
            await().until(() -> spare.subscriptions(PENDING) == 2);
            spare.tell(PENDING, hash(1));
            spare.tell(PENDING, hash(2));
            await().until(() ->
                    client.result("eth_getFilterChanges", id).toString().equals('[' + hash(2) + ']'));

            assertThat(client.result("eth_uninstallFilter", id).asBoolean()).isTrue();
            assertThat(client.result("eth_uninstallFilter", whole).asBoolean()).isTrue();
            await().until(() -> spare.subscriptions(PENDING) == 0);
        }
    }

    @Test
    void aNodeOverHttpIsPolledWhileSomebodySubscribes() {
        try (SubscribingNode node = new SubscribingNode(chain, "filter");
                LocalProxy weir = weir(false, node);
                Subscriber client = new Subscriber(weir.socketUrl())) {
            assertThat(node.hasFilter()).isFalse();
            String id = client.subscribe(PENDING);
            node.pend(hash(1));
            isTold(client, id, 1);
            assertThat(client.answer("eth_subscribe", PENDING, true)
                            .get("error")
                            .toString())
                    .contains("-32601", "no upstream offers whole transactions over a WebSocket");
            client.answer("eth_unsubscribe", id);
            await().until(() -> !node.hasFilter());
        }
    }

    @Test
    void theSubscriberHearsThatNoNodeIsLeftAndStaysConnected() {
        try (SubscribingNode node = new SubscribingNode(chain, PENDING);
                LocalProxy weir = weir(true, node);
                Subscriber client = new Subscriber(weir.socketUrl())) {
            String id = client.subscribe(PENDING);
            stop(node);
            JsonNode error = client.nextError(id);
            assertThat(error.get("code").asInt()).isEqualTo(-32603);
            assertThat(client.answer("eth_unsubscribe", id)
                            .get("error")
                            .get("message")
                            .asString())
                    .isEqualTo("subscription not found");
            assertThat(weir.admin().metric("weir_subscriptions_failed_total", "kind=\"" + PENDING + '"'))
                    .isEqualTo(1);
        }
    }

    @Test
    void aKindThatTheProxyDoesNotKnowIsPassedToANodeThatHasIt() {
        try (SubscribingNode without = new SubscribingNode(chain);
                SubscribingNode with = new SubscribingNode(chain, VENDOR);
                LocalProxy weir = weir(true, without, with);
                Subscriber client = new Subscriber(weir.socketUrl())) {
            String id = client.subscribe(VENDOR, Map.of("hashesOnly", true));
            with.tell(VENDOR, "{\"removed\":false}");
            assertThat(client.next(id).get("removed").asBoolean()).isFalse();

            stop(with);
            JsonNode error = client.nextError(id);
            assertThat(error.get("code").asInt()).isEqualTo(-32603);
            assertThat(error.get("message").asString()).contains("subscribe again");
            assertThat(client.answer("eth_subscribe", "syncing").get("error").toString())
                    .contains("no such kind: syncing");
            assertThat(client.answer("eth_chainId").has("result")).isTrue();
        }
    }

    @Test
    void anEndedSubscriptionEndsTheNodesOne() {
        try (SubscribingNode node = new SubscribingNode(chain, VENDOR);
                LocalProxy weir = weir(true, node);
                Subscriber client = new Subscriber(weir.socketUrl());
                Subscriber other = new Subscriber(weir.socketUrl())) {
            String id = client.subscribe(VENDOR);
            other.subscribe(VENDOR);
            await().until(() -> node.subscriptions(VENDOR) == 2);
            client.answer("eth_unsubscribe", id);
            stop(other);
            await().until(() -> node.subscriptions(VENDOR) == 0);
        }
    }
}
