package io.weir.app.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.reload.ReloadedProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.JsonRpcSocket;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Many reloads while clients call and subscribe. */
final class ReloadsUnderLoadIT {

    private static final int RELOADS = 24;
    private static final int CLIENTS = 3;
    private static final int SUBSCRIBERS = 4;

    private final TestChain chain = new TestChain(7, new SignedTransactions(), Memory.REMEMBERS);
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger accounts = new AtomicInteger(4096);
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();
    private final List<Thread> callers = new ArrayList<>();

    private static ConfigurationText text(ChainServer kept, ChainServer changed, int reload) {
        return Testnet.text()
                .upstream("node", kept.url())
                .networkSetting("head.max-age = 100 ms")
                .setting(ReloadedProxy.TOKEN)
                .setting("networks.side { chain-id = " + SignedTransactions.CHAIN_ID + ", head.max-age = 100 ms")
                .setting("  upstreams.node { url = \"" + changed.url() + "\", weight = " + (1 + reload) + " }")
                .setting("  health.max-lag = " + (10 + reload / 2) + " }")
                .setting("access.keys.key" + reload + " { networks = [\"*\"], methods = [\"*\"]")
                .setting("  sha256 = \"" + "%064x".formatted(reload) + "\" }");
    }

    /** Calls without a pause, half of the time what no cache knows, until the test is over. */
    private void call(Function<String, JsonNode> client) {
        Thread caller = new Thread(() -> {
            while (!over.get()) {
                int account = accounts.incrementAndGet();
                JsonNode answer = client.apply(
                        JsonRpcClient.call("eth_call", Map.of("to", "0x%040x".formatted(account / 2)), "latest"));
                if (answer.has("result")) {
                    answered.incrementAndGet();
                } else {
                    failures.add(answer.toString());
                }
            }
        });
        caller.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure.toString()));
        callers.add(caller);
        caller.start();
    }

    private static JsonNode answer(JsonRpcSocket socket, String call) {
        socket.send(call);
        return JsonRpcClient.parsed(socket.await());
    }

    @Test
    void noCallFailsAndNoSubscriberMissesABlockOrIsClosed() throws Exception {
        chain.mine(20);
        List<Subscriber> subscribers = new ArrayList<>();
        try (ChainServer kept = new ChainServer(chain);
                ChainServer changed = new ChainServer(chain);
                ReloadedProxy proxy = new ReloadedProxy(text(kept, changed, 0).text());
                JsonRpcSocket socket =
                        JsonRpcSocket.connect("ws://127.0.0.1:" + proxy.weir().port() + "/side/ws/v3/demo")) {
            List<ChainCopy> copies = new ArrayList<>();
            for (int i = 0; i < SUBSCRIBERS; i++) {
                Subscriber subscriber = new Subscriber(proxy.weir().socketUrl());
                subscribers.add(subscriber);
                copies.add(new ChainCopy(chain, subscriber));
            }
            for (int i = 0; i < CLIENTS; i++) {
                JsonRpcClient main = proxy.client("/v3/demo");
                JsonRpcClient side = proxy.client("/side/v3/demo");
                call(body -> JsonRpcClient.parsed(main.post(body).body()));
                call(body -> JsonRpcClient.parsed(side.post(body).body()));
            }
            // Without subscriptions it goes on with the network that replaces its own.
            call(body -> answer(socket, body));
            for (int i = 1; i <= RELOADS; i++) {
                int before = answered.get();
                JsonNode result = proxy.reload(text(kept, changed, i).text());
                assertThat(result.at("/networks/changed").toString()).isEqualTo("[\"side\"]");
                chain.mine(1 + i % 3);
                chain.fork(1 + i % 4, i % 2);
                copies.forEach(ChainCopy::catchUp);
                await().until(() -> answered.get() > before + CLIENTS);
            }
            over.set(true);
            for (Thread caller : callers) {
                caller.join();
            }
            assertThat(failures).isEmpty();
            assertThat(subscribers).noneMatch(one -> one.socket().closed().isDone());
            assertThat(proxy.weir().admin().metric("weir_reloads_total", "outcome=\"applied\""))
                    .isEqualTo(RELOADS);
        } finally {
            over.set(true);
            subscribers.forEach(Subscriber::close);
        }
    }

    @Test
    void aSubscriberOfAReplacedNetworkIsToldToConnectAgainAndThenGetsAllBlocks() throws Exception {
        chain.mine(20);
        try (ChainServer kept = new ChainServer(chain);
                ChainServer changed = new ChainServer(chain);
                ReloadedProxy proxy = new ReloadedProxy(
                        text(kept, changed, 0).setting("server.drain = 1 s").text())) {
            String url = "ws://127.0.0.1:" + proxy.weir().port() + "/side/ws/v3/demo";
            try (Subscriber subscriber = new Subscriber(url)) {
                new ChainCopy(chain, subscriber);
                proxy.reload(
                        text(kept, changed, 1).setting("server.drain = 1 s").text());
                assertThat(subscriber.socket().closed().get().code()).isEqualTo(1012);
            }
            try (Subscriber subscriber = new Subscriber(url)) {
                ChainCopy copy = new ChainCopy(chain, subscriber);
                chain.mine(3);
                copy.catchUp();
            }
        }
    }
}
