package io.weir.upstream.pool;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.weir.access.TestCaller;
import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Stage;
import io.weir.pipeline.plan.TestForwarding;
import io.weir.testing.NetworkSettings;
import io.weir.upstream.NodeClient;
import io.weir.upstream.Upstream;
import io.weir.upstream.pool.SimulatedNode.Condition;
import io.weir.upstream.pool.SimulatedNode.Phase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Pool of 2 to 20 nodes in virtual time that get slow, hang, fail, refuse, limit and come back, while clients call. All follows
 * from the seed.
 */
final class PoolSimulation {

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long DEADLINE_NANOS = 10_000 * MILLI;
    private static final long CALM_NANOS = 1_000 * MILLI;
    private static final long END_NANOS = 6_000 * MILLI;
    private static final int HEAD = 10_000;
    private static final RpcCall LATEST = balance("0x2710");
    private static final RpcCall HISTORIC = balance("0x1");

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final EventLoop loop = channel.eventLoop();
    private final MetricRegistry registry = new MetricRegistry();
    private final Random random;
    private final Map<String, SimulatedNode> nodes = new LinkedHashMap<>();
    private final ProbedPool pool;
    private final Stage stage;
    private final NetworkId network = new NetworkId("net");

    int calls;
    int failures;
    /** Failed calls although a node would have answered, because the budget of retries was spent. */
    int overBudget;

    private long refused;
    /** Failed calls although a node would have answered all the time. */
    final List<String> wrongFailures = new ArrayList<>();

    final List<Long> latencies = new ArrayList<>();

    PoolSimulation(long seed) {
        random = new Random(seed);
        int count = 2 + random.nextInt(random.nextBoolean() ? 3 : 19);
        StringBuilder upstreams = new StringBuilder("upstreams {");
        Map<String, NodeClient> clients = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            long latency = (long) (MILLI * Math.exp(random.nextDouble() * 4 - 1));
            boolean archive = random.nextInt(3) == 0;
            SimulatedNode node = new SimulatedNode(archive, latency, ticker::nanoTime, random);
            node.blocks.head = HEAD;
            plan(node);
            nodes.put("n" + i, node);
            clients.put("n" + i, node);
            int tier = archive && random.nextBoolean() ? 1 : 0;
            upstreams
                    .append(i == 0 ? "" : ",")
                    .append(" n%d { url = \"http://127.0.0.1:1\", timeout = 3 s, tier = %d }".formatted(i, tier));
        }
        NetworkConfig config = NetworkSettings.of(
                "net",
                "kind = plain",
                "hashing = none",
                "health { interval = 1 s, idle-interval = 60 s, down-interval = 500 ms, timeout = 1 s, max-lag = 3 }",
                upstreams.append(" }").toString());
        pool = new ProbedPool(
                config,
                new PlainKind(),
                clients,
                new PoolContext(loop, new Meters(registry), ticker::nanoTime, random::nextInt));
        stage = TestForwarding.over(pool, config.balance(), registry, ticker::nanoTime);
    }

    private void plan(SimulatedNode node) {
        long at = CALM_NANOS + (long) (random.nextDouble() * 2_000 * MILLI);
        Condition[] conditions = Condition.values();
        while (at < END_NANOS) {
            Condition condition = conditions[1 + random.nextInt(conditions.length - 1)];
            long until = at + (long) (random.nextDouble() * 1_500 * MILLI);
            node.phases.add(new Phase(at - 1, at, Condition.GOOD));
            node.phases.add(new Phase(at, until, condition));
            long next = until + (long) (random.nextDouble() * 2_500 * MILLI);
            node.phases.add(new Phase(until, next, Condition.GOOD));
            at = next;
        }
    }

    private static RpcCall balance(String block) {
        return new RpcCall(RawJson.of("1"), "eth_getBalance", RawJson.of("[\"0x%040d\",\"%s\"]".formatted(1, block)));
    }

    /** Runs all of it. */
    PoolSimulation run() {
        pool.start();
        advance(500 * MILLI);
        boolean anyArchive = nodes.values().stream().anyMatch(node -> node.archive);
        while (ticker.nanoTime() < END_NANOS) {
            advance((long) (-Math.log(1 - random.nextDouble()) * 10 * MILLI));
            call(anyArchive && random.nextInt(5) == 0);
        }
        advance(DEADLINE_NANOS + MILLI);
        pool.close();
        return this;
    }

    private void call(boolean historic) {
        calls++;
        long start = ticker.nanoTime();
        CallContext context = new CallContext(
                historic ? HISTORIC : LATEST, TestCaller.CLIENT, network, loop, start, start + DEADLINE_NANOS);
        context.needsBlock(historic ? 1 : HEAD, true);
        stage.handle(context, reply -> {
            latencies.add(ticker.nanoTime() - start);
            long refusedBefore = refused;
            refused = count("retries_refused");
            if (!(reply instanceof RpcReply.Result)) {
                failures++;
                long answerable = nodes.values().stream()
                        .filter(node -> (node.archive || !historic) && node.isGood(start, ticker.nanoTime()))
                        .count();
                if (answerable > 0 && count("retries_refused") > refusedBefore) {
                    overBudget++;
                } else if (answerable > 0) {
                    wrongFailures.add("at %d ms after %d ms: %s; %d nodes would have answered; %s"
                            .formatted(
                                    start / MILLI,
                                    (ticker.nanoTime() - start) / MILLI,
                                    reply,
                                    answerable,
                                    pool.upstreams().stream()
                                            .map(Upstream::status)
                                            .toList()));
                }
            }
        });
    }

    private void advance(long nanos) {
        long end = ticker.nanoTime() + nanos;
        channel.runPendingTasks();
        long next = channel.runScheduledPendingTasks();
        while (next >= 0 && next <= end - ticker.nanoTime()) {
            ticker.advance(next, TimeUnit.NANOSECONDS);
            channel.runPendingTasks();
            next = channel.runScheduledPendingTasks();
        }
        ticker.advance(end - ticker.nanoTime(), TimeUnit.NANOSECONDS);
        channel.runPendingTasks();
        channel.runScheduledPendingTasks();
    }

    long count(String meter) {
        return registry.getCounters().entrySet().stream()
                .filter(entry -> entry.getKey().contains(meter))
                .mapToLong(entry -> entry.getValue().getCount())
                .sum();
    }

    /** Returns how often nodes were asked for calls. */
    int attempts() {
        return nodes.values().stream().mapToInt(node -> node.calls).sum();
    }

    /** Returns how often nodes were asked for data that they lack, or took no connection: these attempts have no budget. */
    int wasted() {
        return nodes.values().stream()
                .mapToInt(node -> node.lacking + node.refused)
                .sum();
    }

    int size() {
        return nodes.size();
    }
}
