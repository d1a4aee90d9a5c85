package io.weir.upstream.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.EventLoop;
import io.weir.api.EthereumKind;
import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.metrics.Meters;
import io.weir.testing.NetworkSettings;
import io.weir.testing.NoLeaks;
import io.weir.testing.RawNode;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool.Choice;
import io.weir.upstream.UpstreamStatus.Health;
import io.weir.upstream.budget.UnitLedger;
import io.weir.upstream.pool.ProbedPool;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two nodes of which one is killed under load, through sockets on two event loops. */
@NoLeaks
class PoolFailoverIT {

    private static final int CALLERS = 64;

    private final ClientBench bench = new ClientBench(2);
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final AtomicInteger sentToTheDead = new AtomicInteger();
    private final AtomicInteger callsAtA = new AtomicInteger();
    private final AtomicBoolean failedOnce = new AtomicBoolean();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicInteger running = new AtomicInteger();
    private RawNode a;
    private RawNode b;
    private ProbedPool pool;

    @BeforeEach
    void begin() throws IOException {
        a = node(0, callsAtA);
        b = node(0, new AtomicInteger());
        bench.maxConnections = 16;
        List<String> settings = new ArrayList<>();
        settings.add("hashing = none");
        settings.add("health { interval = 500 ms, max-lag = 3 }");
        Map<String, NodeClient> clients = new LinkedHashMap<>();
        for (Map.Entry<String, RawNode> node : Map.of("a", a, "b", b).entrySet()) {
            String url = "http://127.0.0.1:" + node.getValue().port();
            settings.add("upstreams." + node.getKey() + ".url = \"" + url + "\"");
            clients.put(node.getKey(), bench.client(url));
        }
        NetworkConfig network = NetworkSettings.of("net", settings.toArray(String[]::new));
        pool = new ProbedPool(
                network,
                new EthereumKind(),
                clients,
                bench.loops,
                new Meters(new MetricRegistry()),
                UnitLedger.inMemory(System::currentTimeMillis));
        pool.start();
        await().until(() -> health("a") == Health.HEALTHY && health("b") == Health.HEALTHY);
    }

    @AfterEach
    void end() {
        stop.set(true);
        await().until(() -> running.get() == 0);
        pool.close();
        bench.close();
        a.close();
        b.close();
    }

    private static RawNode node(int port, AtomicInteger calls) throws IOException {
        return new RawNode(new ServerSocket(), port, connection -> {
            while (true) {
                RawNode.Request request = connection.read();
                String result = "1";
                if (request.body().contains("eth_chainId")) {
                    result = "\"0x1\"";
                } else if (request.body().contains("eth_syncing")) {
                    result = "false";
                } else if (request.body().contains("eth_blockNumber")) {
                    result = "\"0x64\"";
                } else {
                    calls.incrementAndGet();
                }
                connection.answer("200 OK", RawNode.result(request, result));
            }
        });
    }

    private Health health(String id) {
        return pool.upstreams().stream()
                .map(Upstream::status)
                .filter(status -> status.id().equals(id))
                .findFirst()
                .orElseThrow()
                .health();
    }

    /** Sends calls repeatedly, and moves to the other node if one fails, as a repeatable call does. */
    private void callOnAndOn(EventLoop loop, List<Upstream> tried) {
        if (tried.isEmpty() && stop.get()) {
            running.decrementAndGet();
            return;
        }
        boolean failedBefore = failedOnce.get();
        Choice choice = pool.choose(new RpcCall(RawJson.of("1"), "eth_chainId", null), tried, 0);
        if (choice == null) {
            unanswered.incrementAndGet();
            loop.execute(() -> callOnAndOn(loop, List.of()));
            return;
        }
        Upstream upstream = choice.upstream();
        if (failedBefore && upstream.id().equals("a")) {
            sentToTheDead.incrementAndGet();
        }
        upstream.ask(loop, ClientBench.call(), System.nanoTime() + TimeUnit.SECONDS.toNanos(60), Attempt.of(outcome -> {
            List<Upstream> next = new ArrayList<>();
            if (outcome instanceof Answered) {
                answered.incrementAndGet();
            } else {
                Fault fault = ((Failed) outcome).fault();
                if (upstream.id().equals("a") && (fault == Fault.DISCONNECTED || fault == Fault.CONNECT)) {
                    failedOnce.set(true);
                }
                next.addAll(tried);
                next.add(upstream);
            }
            loop.execute(() -> callOnAndOn(loop, next));
        }));
    }

    private void load() {
        running.set(CALLERS);
        for (int i = 0; i < CALLERS; i++) {
            EventLoop loop = bench.loops.next();
            loop.execute(() -> callOnAndOn(loop, List.of()));
        }
    }

    @Test
    void aKilledNodeCostsNoCallAndServesAgainAfterItsFirstGoodProbe() throws IOException {
        load();
        await().until(() -> answered.get() > 2_000 && callsAtA.get() > 500);
        int port = a.port();
        a.close();
        await().until(failedOnce::get);
        int before = answered.get();
        await().until(() -> answered.get() > before + 5_000);
        assertThat(health("a")).isEqualTo(Health.DOWN);
        assertThat(sentToTheDead).hasValue(0);
        assertThat(unanswered).hasValue(0);
        int callsBefore = callsAtA.get();
        failedOnce.set(false);
        a = node(port, callsAtA);
        await().until(() -> callsAtA.get() > callsBefore + 500);
        assertThat(health("a")).isEqualTo(Health.HEALTHY);
        assertThat(unanswered).hasValue(0);
    }
}
