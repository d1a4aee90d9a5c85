package io.weir.upstream.pool;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.metrics.Meters;
import io.weir.testing.NetworkSettings;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool.Choice;
import io.weir.upstream.UpstreamStatus;
import io.weir.upstream.UpstreamStatus.Health;
import io.weir.upstream.budget.UnitLedger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A pool of fake nodes, on an event loop and a clock that the test moves by hand. */
final class PoolBench {

    /** Consecutive faults that eject a node. */
    static final int FAULTS = 3;

    /** The setting with which a node that no call uses is polled once a minute. */
    static final String IDLE_MINUTE = "health.interval = 5 s";

    static final long MAX_LAG = 3;
    static final long PROBE_TIMEOUT_MILLIS = 5_000;
    static final long TIMEOUT_MILLIS = 10_000;
    static final long HEAD_MAX_AGE_MILLIS = 1_000;

    final MockTicker ticker = Ticker.newMockTicker();
    final EmbeddedChannel channel = EmbeddedChannel.builder().ticker(ticker).build();
    final EventLoop loop = channel.eventLoop();
    final MetricRegistry registry = new MetricRegistry();
    final UnitLedger ledger = UnitLedger.inMemory(System::currentTimeMillis);
    final Map<String, FakeNode> nodes = new LinkedHashMap<>();
    private final List<String> settings = new ArrayList<>(
            List.of("kind = plain", "hashing = none", "health { interval = 1 s, max-lag = " + MAX_LAG + " }"));
    Random random = new Random(1);
    PlainKind kind = new PlainKind();
    ProbedPool pool;

    /** Adds a setting of the network; before {@link #begin}. */
    void setting(String line) {
        settings.add(line);
    }

    /** Adds a node; before {@link #begin}. */
    FakeNode node(String id, int tier, int weight, String... more) {
        FakeNode node = new FakeNode();
        nodes.put(id, node);
        settings.add("upstreams." + id + " { url = \"http://secret.example/key\", tier = " + tier + ", weight = "
                + weight + ", timeout = " + TIMEOUT_MILLIS + " ms, batch.size = 1"
                + String.join(
                        "", List.of(more).stream().map(line -> ", " + line).toList()) + " }");
        return node;
    }

    /** Makes the pool and runs the first probes. */
    PoolBench begin() {
        make();
        pool.start();
        settle();
        return this;
    }

    void make() {
        NetworkConfig network = NetworkSettings.of("net", settings.toArray(String[]::new));
        pool = new ProbedPool(
                network,
                kind,
                Map.copyOf(nodes),
                loop,
                new Meters(registry),
                ticker::nanoTime,
                () -> System.currentTimeMillis() / 1_000,
                bound -> random.nextInt(bound),
                ledger);
    }

    void settle() {
        channel.runPendingTasks();
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }

    /** Lets time pass, in small steps so that timers fire when they are due. */
    void pass(long millis) {
        for (long left = millis; left > 0; left -= 50) {
            ticker.advanceMillis(Math.min(left, 50));
            settle();
        }
    }

    Health health(String id) {
        return status(id).health();
    }

    UpstreamStatus status(String id) {
        return upstream(id).status();
    }

    Upstream upstream(String id) {
        return pool.upstreams().stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** Sends a call to a node; its outcomes end up in the list. */
    List<NodeOutcome> ask(String id) {
        List<NodeOutcome> outcomes = new ArrayList<>();
        upstream(id).ask(loop, call(), ticker.nanoTime() + 60_000_000_000L, Attempt.of(outcomes::add));
        return outcomes;
    }

    /** Sends a call to a node that ends it with this outcome. */
    void ask(String id, NodeOutcome outcome) {
        ask(id);
        nodes.get(id).calls.removeLast().end(outcome);
        settle();
    }

    static RpcCall call() {
        return call("eth_chainId");
    }

    static RpcCall call(String method) {
        return new RpcCall(RawJson.of("1"), method, null);
    }

    /** Returns the id of the chosen node, with a star for a degraded choice; "none" if there is none. */
    String chosen(String... tried) {
        return chosenFor(0, tried);
    }

    /** Returns the same for a call about a block. */
    String chosenFor(long leastHead, String... tried) {
        List<Upstream> used = new ArrayList<>();
        for (String id : tried) {
            used.add(upstream(id));
        }
        Choice choice = pool.choose(call(), used, leastHead);
        return choice == null ? "none" : choice.upstream().id() + (choice.degraded() ? "*" : "");
    }
}
