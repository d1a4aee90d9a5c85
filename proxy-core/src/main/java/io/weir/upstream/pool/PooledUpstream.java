package io.weir.upstream.pool;

import com.codahale.metrics.Counter;
import io.netty.channel.EventLoop;
import io.weir.api.NetworkKind;
import io.weir.config.NetworkConfig;
import io.weir.config.UpstreamConfig;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.BudgetStatus;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeClient.OutcomeSink;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamStatus;
import io.weir.upstream.UpstreamStatus.Health;
import io.weir.upstream.budget.NodeBudget;
import io.weir.upstream.wire.Attempt;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Node with its client, load and health. {@link NodeOutcomes} notes the outcomes of its attempts. Thread-safe.
 */
final class PooledUpstream implements Upstream, ProbeTarget {

    private final UpstreamConfig config;
    private final MethodCatalogue methods;
    private final NodeClient client;
    private final NodeHealth health;
    private final NodeUse use = new NodeUse();
    private final NodeOutcomes outcomes;
    private final NodeCapabilities capabilities;
    private final PoolPeers peers;
    private final LongSupplier clock;
    private final long timeoutNanos;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final Load load = new Load();
    private volatile int weight;
    private final SentCalls sent;
    private final Counter lacked;
    private final Counter cancelled;
    private final Counter streamed;
    private final Counter brokenOff;
    private final List<Runnable> gauges;
    private final NodeBudget budget;

    /**
     * @param kind knows which errors belong to the network itself
     * @param methods the facts about the methods that the network's nodes serve
     * @param peers what the pool's nodes share
     * @param takenOut runs on any thread when an attempt took the node out
     */
    PooledUpstream(
            NetworkConfig network,
            NetworkKind kind,
            MethodCatalogue methods,
            UpstreamConfig config,
            NodeClient client,
            PoolContext context,
            PoolPeers peers,
            Consumer<PooledUpstream> takenOut) {
        Meters meters = context.meters();
        this.config = config;
        this.methods = methods;
        this.weight = config.weight();
        this.client = client;
        this.clock = context.clock();
        this.capabilities = new NodeCapabilities(this, network.name(), config, meters, clock);
        this.lacked = meters.counter(Meter.LACKED_DATA, network.name(), config.id());
        this.cancelled = meters.counter(Meter.UPSTREAM_CANCELLED, network.name(), config.id());
        this.streamed = meters.counter(Meter.UPSTREAM_STREAMED, network.name(), config.id());
        this.brokenOff = meters.counter(Meter.UPSTREAM_BROKEN_OFF, network.name(), config.id());
        this.peers = peers;
        this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(config.timeoutMillis());
        this.sent = new SentCalls(meters, network.name(), config.id(), methods);
        this.health = new NodeHealth(clock);
        this.outcomes = new NodeOutcomes(
                network,
                config,
                methods,
                new AnswerJudge(kind, methods, new Redaction(config), network.name(), config.id()),
                capabilities,
                health,
                context,
                peers,
                () -> takenOut.accept(this));
        this.budget = NodeBudget.of(network.name(), config.id(), config.budget(), context.ledger(), meters, clock);
        this.gauges = List.of(
                meters.gauge(Meter.UPSTREAM_IN_FLIGHT, inFlight::get, network.name(), config.id()),
                meters.gauge(Meter.UPSTREAM_HEAD, health::head, network.name(), config.id()),
                meters.gauge(Meter.UPSTREAM_EJECTED, () -> health.isEjected() ? 1 : 0, network.name(), config.id()),
                meters.gauge(Meter.UPSTREAM_HEALTHY, () -> health.isInPool() ? 1 : 0, network.name(), config.id()));
    }

    /** Returns the longest time of a health check: more than usual for a node whose calls may take long. */
    long probeNanos() {
        return Math.max(HealthProbe.TIMEOUT_NANOS, TimeUnit.MILLISECONDS.toNanos(config.timeoutMillis()) / 2);
    }

    @Override
    public String id() {
        return config.id();
    }

    @Override
    public UpstreamStatus status() {
        Health now = health.health();
        long held = health.isOut() ? Math.max(0, TimeUnit.NANOSECONDS.toMillis(health.heldNanos())) : 0;
        return new UpstreamStatus(
                id(), tier(), weight, health.isDrained(), now, health.head(), inFlight.get(), held, detail());
    }

    private String detail() {
        String detail = health.detail();
        return detail.isEmpty() ? outcomes.classFaults().detail() : detail;
    }

    @Override
    public void drain(boolean drained) {
        health.drain(drained);
    }

    @Override
    public void weigh(int other) {
        weight = other;
    }

    @Override
    public void ask(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        ask(client::ask, loop, call, deadlineNanos, sink);
    }

    @Override
    public void askAnew(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        ask(client::askAnew, loop, call, deadlineNanos, sink);
    }

    /** Method of the client that sends the call. */
    private interface Sender {
        void ask(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink);
    }

    private void ask(Sender sender, EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        NodeOutcome refused = budget.take(call.method());
        if (refused != null) {
            sink.accept(refused);
            return;
        }
        sent.count(call.method(), sink.cause());
        long start = clock.getAsLong();
        long left = Math.min(deadlineNanos - start, timeoutNanos);
        Attempt attempt = Attempt.of(sink);
        inFlight.incrementAndGet();
        attempt.countedBy(load, call, health.epoch(), start);
        sender.ask(loop, call, start + left, attempt);
    }

    @Override
    public boolean lacks(String method) {
        return capabilities.saidToLack(method);
    }

    @Override
    public void refusedParams(RpcCall call) {
        capabilities.refused().refused(call);
    }

    @Override
    public boolean takeRefusalRepeat() {
        return capabilities.refused().takeRepeat();
    }

    @Override
    public void lackedData(RpcCall call, long block) {
        if (capabilities.data().lacked(methods.facts(call.method()), call, block, health.head())) {
            lacked.inc();
        }
    }

    @Override
    public void hadData(MethodFacts facts, RpcCall call, long block) {
        capabilities.data().had(facts, call, block, health.head());
        // A node may answer for any block, but a client must not raise its head beyond the others'.
        if (block > health.head() && facts.needsState() && block <= peers.newest()) {
            health.seen(block);
        }
    }

    @Override
    public void slow(RpcCall call, long nanos) {
        outcomes.slow(call, nanos);
    }

    @Override
    public void missedTransaction(EventLoop loop, RpcCall call, long block) {
        // One block more than the transaction's: a node may announce a head before its transactions can be found.
        if (health.head() > block) {
            capabilities.missedTransaction(loop, call, block);
        }
    }

    NodeCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public void refuted(Flaw flaw, String detail, boolean costs) {
        outcomes.refuted(flaw, detail, costs);
    }

    /** Counts the outcome as that of a probe. */
    @Override
    public void probe(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        NodeOutcome refused = budget.takeProbe(call.method());
        if (refused != null) {
            sink.accept(refused);
            return;
        }
        sent.count(call.method(), sink.cause() == CallCause.FOLLOWER ? CallCause.FOLLOWER : CallCause.PROBE);
        client.probe(loop, call, deadlineNanos, outcomes.judged(call, sink));
    }

    /** Returns the counters of the calls sent to the node. */
    SentCalls sent() {
        return sent;
    }

    /** Returns what counts and judges the outcomes of the node. */
    NodeOutcomes outcomes() {
        return outcomes;
    }

    NodeBudget units() {
        return budget;
    }

    @Override
    public @Nullable BudgetStatus budget() {
        return budget.status();
    }

    /** Closes the connections and removes the gauges. The counters stay. */
    void close() {
        budget.close();
        gauges.forEach(Runnable::run);
        client.close();
    }

    NodeUse use() {
        return use;
    }

    NodeHealth health() {
        return health;
    }

    NodeClient client() {
        return client;
    }

    int tier() {
        return config.tier();
    }

    int weight() {
        return weight;
    }

    int inFlight() {
        return inFlight.get();
    }

    /** Counts attempts for the node's load until they end or are given up. Thread-safe. */
    private final class Load implements Attempt.Counting {

        @Override
        public long nanoTime() {
            return clock.getAsLong();
        }

        @Override
        public void streams() {
            streamed.inc();
        }

        @Override
        public NodeOutcome ended(Attempt attempt, NodeOutcome outcome, boolean isStreamed) {
            if (isStreamed && outcome instanceof Failed) {
                brokenOff.inc();
            }
            inFlight.decrementAndGet();
            return outcomes.ended(attempt.call(), attempt.epoch(), attempt.answerNanos(), outcome);
        }

        @Override
        public void cancelled() {
            inFlight.decrementAndGet();
            cancelled.inc();
        }
    }

    /**
     * Counters of the calls that were sent to one node, by method and cause. Each is registered with its first call. Methods outside the
     * catalogue count together. Thread-safe.
     */
    @SuppressWarnings("EnumOrdinal") // An array by ordinal costs a call less than a map.
    static final class SentCalls {

        private static final int CAUSES = CallCause.values().length;
        private static final String OTHER = "other";

        private final Meters meters;
        private final String network;
        private final String upstream;
        /** By method; unchanging apart from the counters. */
        private final Map<String, AtomicReferenceArray<Counter>> methods = new HashMap<>();

        private final AtomicReferenceArray<Counter> others = new AtomicReferenceArray<>(CAUSES);

        SentCalls(Meters meters, String network, String upstream, MethodCatalogue catalogue) {
            this.meters = meters;
            this.network = network;
            this.upstream = upstream;
            for (MethodFacts facts : catalogue.all()) {
                methods.put(facts.name(), new AtomicReferenceArray<>(CAUSES));
            }
        }

        /** Counts a call. */
        void count(String method, CallCause cause) {
            AtomicReferenceArray<Counter> known = methods.get(method);
            AtomicReferenceArray<Counter> counters = known == null ? others : known;
            Counter counter = counters.get(cause.ordinal());
            if (counter == null) {
                counter = meters.counter(
                        Meter.UPSTREAM_SENT, network, upstream, known == null ? OTHER : method, cause.label());
                counters.set(cause.ordinal(), counter);
            }
            counter.inc();
        }
    }
}
