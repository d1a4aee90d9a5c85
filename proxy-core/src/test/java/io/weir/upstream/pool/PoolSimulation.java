package io.weir.upstream.pool;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.weir.access.TestCaller;
import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Stage;
import io.weir.pipeline.plan.ForwardStage;
import io.weir.pipeline.plan.TestForwarding;
import io.weir.pipeline.send.SendStage;
import io.weir.testing.NetworkSettings;
import io.weir.upstream.NodeClient;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamStatus;
import io.weir.upstream.budget.UnitLedger;
import io.weir.upstream.pool.SimulatedCalls.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Pool of 2 to 20 nodes in virtual time that get slow, hang, fail, refuse, limit, fall behind, are parted and come back, while
 * clients call. All follows from the seed. Confined to one thread.
 */
final class PoolSimulation {

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long DEADLINE_NANOS = 10_000 * MILLI;
    private static final long CALM_NANOS = 1_000 * MILLI;
    private static final long END_OF_FAULTS_NANOS = 5_000 * MILLI;
    private static final long END_NANOS = 8_000 * MILLI;
    private static final long[] BLOCK_MILLIS = {250, 1_000, 2_000, 12_000};
    private static final double MEAN_PAUSE_NANOS = 12.0 * MILLI;

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final EventLoop loop = channel.eventLoop();
    private final MetricRegistry registry = new MetricRegistry();
    private final NetworkId network = new NetworkId("net");
    private final Random random;
    private final SimulatedChain chain;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final List<ConditionTimes.Watch> watches = new ArrayList<>();
    private final ProbedPool pool;
    private final Stage reads;
    private final Stage keyedWrites;
    private final SendStage sends;

    final AttemptLedger ledger;
    final ConditionTimes times = new ConditionTimes();
    final List<Long> latencies = new ArrayList<>();
    /** Failed repeatable calls although a node would have answered all the time. */
    final List<String> wrongFailures = new ArrayList<>();

    int calls;
    int replies;
    int failures;
    private int transactions;

    PoolSimulation(long seed) {
        this.random = new Random(seed);
        this.chain = new SimulatedChain(BLOCK_MILLIS[random.nextInt(BLOCK_MILLIS.length)] * MILLI, ticker::nanoTime);
        this.ledger = new AttemptLedger(ticker::nanoTime);
        int count = 2 + random.nextInt(random.nextBoolean() ? 3 : 19);
        // The last ones are in the second tier: few forms of the configuration, which is slow to read.
        int second = random.nextInt(Math.min(count, 4));
        for (int i = 0; i < count; i++) {
            long latency = (long) (MILLI * Math.exp(random.nextDouble() * 4 - 1));
            boolean archive = random.nextInt(3) == 0;
            nodes.add(new SimulatedNode("n" + i, archive, latency, chain, ledger, random));
        }
        new SimulatedFaults(CALM_NANOS, END_OF_FAULTS_NANOS, random).plan(nodes);
        NetworkConfig config = config(count, second);
        Map<String, NodeClient> clients = new LinkedHashMap<>();
        nodes.forEach(node -> clients.put(node.id, node));
        Meters meters = new Meters(registry);
        pool = new ProbedPool(
                config,
                new PlainKind(),
                clients,
                loop,
                meters,
                ticker::nanoTime,
                () -> System.currentTimeMillis() / 1_000,
                random::nextInt,
                UnitLedger.inMemory(System::currentTimeMillis));
        nodes.forEach(node -> watches.add(times.new Watch(node)));
        ForwardStage forward = TestForwarding.stage(pool, config.balance(), registry, ticker::nanoTime);
        reads = forward;
        keyedWrites = TestForwarding.once(forward);
        sends = new SendStage(config, pool, forward, meters, null);
    }

    private static NetworkConfig config(int count, int second) {
        StringBuilder upstreams = new StringBuilder("upstreams {");
        for (int i = 0; i < count; i++) {
            upstreams
                    .append(i == 0 ? "" : ",")
                    .append(" n%d { url = \"http://127.0.0.1:1\", timeout = 3 s, tier = %d }"
                            .formatted(i, i < count - second ? 0 : 1));
        }
        return NetworkSettings.of(
                "net",
                "kind = plain",
                "hashing = none",
                "health { interval = 1 s, max-lag = 3 }",
                upstreams.append(" }").toString());
    }

    /** Runs all of it. */
    PoolSimulation run() {
        pool.start();
        advance(500 * MILLI);
        boolean anyArchive = nodes.stream().anyMatch(node -> node.archive);
        while (ticker.nanoTime() < END_NANOS) {
            advance((long) (-Math.log(1 - random.nextDouble()) * MEAN_PAUSE_NANOS));
            call(anyArchive);
        }
        watches.forEach(ConditionTimes.Watch::end);
        watches.clear();
        advance(DEADLINE_NANOS + MILLI);
        pool.close();
        return this;
    }

    private void call(boolean anyArchive) {
        calls++;
        long start = ticker.nanoTime();
        int drawn = random.nextInt(20);
        if (drawn == 0) {
            start(SimulatedCalls.raw(transactions++), Kind.RAW, 0, false, sends);
        } else if (drawn == 1) {
            start(SimulatedCalls.keyed(), Kind.KEYED, 0, false, keyedWrites);
        } else if (anyArchive && drawn < 6) {
            long depth = SimulatedNode.STATE_BLOCKS + random.nextInt(5_000);
            start(SimulatedCalls.balance(chain.head(start) - depth), Kind.OLD, chain.head(start) - depth, true, reads);
        } else {
            // As HeadStage does.
            pool.head().whenFresh(loop, start + DEADLINE_NANOS, number -> {
                long block =
                        Math.max(0, number >= 0 ? number : pool.head().tracker().number());
                start(SimulatedCalls.balance(block), Kind.NEWEST, block, number >= 0, reads);
            });
        }
    }

    private void start(RpcCall call, Kind kind, long block, boolean exists, Stage stage) {
        long start = ticker.nanoTime();
        ledger.called(call, kind, block);
        CallContext context = new CallContext(call, TestCaller.CLIENT, network, loop, start, start + DEADLINE_NANOS);
        context.setRoute(context.route().toBlock(block, exists));
        stage.handle(context, reply -> ended(call, kind, block, start, reply));
    }

    private void ended(RpcCall call, Kind kind, long block, long start, RpcReply reply) {
        replies++;
        latencies.add(ticker.nanoTime() - start);
        if (reply instanceof RpcReply.Result) {
            return;
        }
        failures++;
        if (kind.isWrite()) {
            return;
        }
        long now = ticker.nanoTime();
        List<String> able = nodes.stream()
                .filter(node -> node.answers(block, start, now))
                .map(node -> node.id)
                .toList();
        if (able.isEmpty()) {
            return;
        }
        wrongFailures.add("at %d ms after %d ms and %d attempts: %s to %s of block %d; %s would have answered; %s"
                .formatted(
                        start / MILLI,
                        (now - start) / MILLI,
                        ledger.attempts(call),
                        reply,
                        kind,
                        block,
                        able,
                        statuses().toList()));
    }

    private Stream<UpstreamStatus> statuses() {
        return pool.upstreams().stream().map(Upstream::status);
    }

    private void advance(long nanos) {
        long end = ticker.nanoTime() + nanos;
        channel.runPendingTasks();
        long next = channel.runScheduledPendingTasks();
        while (next >= 0 && next <= end - ticker.nanoTime()) {
            ticker.advance(next, TimeUnit.NANOSECONDS);
            channel.runPendingTasks();
            next = channel.runScheduledPendingTasks();
            watch();
        }
        ticker.advance(end - ticker.nanoTime(), TimeUnit.NANOSECONDS);
        channel.runPendingTasks();
        channel.runScheduledPendingTasks();
        watch();
    }

    private void watch() {
        long now = ticker.nanoTime();
        for (int i = 0; i < watches.size(); i++) {
            watches.get(i).note(((Node) pool.upstreams().get(i)).state().isReady(now), now);
        }
    }

    int size() {
        return nodes.size();
    }
}
