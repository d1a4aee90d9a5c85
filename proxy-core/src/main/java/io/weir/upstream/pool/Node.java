package io.weir.upstream.pool;

import io.netty.channel.EventLoop;
import io.weir.api.NetworkKind;
import io.weir.config.NetworkConfig;
import io.weir.config.UpstreamConfig;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.upstream.BudgetStatus;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeClient.OutcomeSink;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamStatus;
import io.weir.upstream.budget.NodeBudget;
import io.weir.upstream.latency.LatencyClass;
import io.weir.upstream.latency.NodeLatency;
import io.weir.upstream.wire.Attempt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One node: its client, its state, what it can answer, its budget and its meters. Calls and probes go through it, and it applies the
 * meaning of each outcome to its state. Thread-safe.
 */
final class Node implements Upstream, ProbeTarget {

    private final UpstreamConfig config;
    private final MethodCatalogue methods;
    private final NodeClient client;
    private final NodeState.Current state;
    private final AnswerJudge judge;
    private final NodeFaults faults;
    private final ClassFaults classFaults;
    private final NodeCapabilities capabilities;
    private final LatencyOutlier outlier;
    private final NodeLatency latency;
    private final boolean alone;
    private final PoolPeers peers;
    private final LongSupplier clock;
    private final long timeoutNanos;
    private final NodeBudget budget;
    private final NodeMeters meters;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final Load load = new Load();
    private volatile int weight;
    /** Whether calls use no node of its tier, so that the next call to it begins a round of probes. */
    private final AtomicBoolean unused = new AtomicBoolean();

    private volatile boolean called;

    /**
     * @param kind knows which errors belong to the network itself
     * @param methods the facts about the methods that the network's nodes serve
     * @param peers what the pool's nodes share
     * @param takenOut runs on any thread when an attempt took the node out
     */
    Node(
            NetworkConfig network,
            NetworkKind kind,
            MethodCatalogue methods,
            UpstreamConfig config,
            NodeClient client,
            PoolContext context,
            PoolPeers peers,
            Consumer<Node> takenOut) {
        this.config = config;
        this.methods = methods;
        this.weight = config.weight();
        this.client = client;
        this.clock = context.clock();
        this.alone = network.upstreams().size() == 1;
        this.peers = peers;
        this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(config.timeoutMillis());
        this.state = new NodeState.Current(clock.getAsLong());
        this.capabilities = new NodeCapabilities(this, network.name(), config, context.meters(), clock);
        this.judge = new AnswerJudge(kind, methods, new Redaction(config), network.name(), config.id());
        this.meters = new NodeMeters(context.meters(), network.name(), config.id(), methods, state, inFlight::get);
        this.latency = new NodeLatency(clock);
        this.outlier = peers.outlier(config.tier());
        this.classFaults = new ClassFaults(network.ejection().rules(), context.random(), clock);
        this.faults = new NodeFaults(
                state,
                peers.ejections().add(state, config.id()),
                network.ejection().rules(),
                classFaults,
                meters::answers,
                HealthProbe.TIMEOUT_NANOS,
                () -> takenOut.accept(this),
                clock);
        this.budget =
                NodeBudget.of(network.name(), config.id(), config.budget(), context.ledger(), context.meters(), clock);
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
        NodeState now = state.get();
        long held = now.isOut() ? Math.max(0, TimeUnit.NANOSECONDS.toMillis(now.heldNanos(clock.getAsLong()))) : 0;
        String detail = now.detail().isEmpty() ? classFaults.detail() : now.detail();
        return new UpstreamStatus(
                id(), tier(), weight, now.isDrained(), now.health(), now.head(), inFlight.get(), held, detail);
    }

    @Override
    public void drain(boolean drained) {
        state.apply(now -> now.withDrained(drained));
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
        meters.countSent(call.method(), sink.cause());
        long start = clock.getAsLong();
        long left = Math.min(deadlineNanos - start, timeoutNanos);
        Attempt attempt = Attempt.of(sink);
        inFlight.incrementAndGet();
        attempt.countedBy(load, call, state.get().epoch(), start);
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
        if (capabilities.data().lacked(methods.facts(call.method()), call, block, head())) {
            meters.lacked.inc();
        }
    }

    @Override
    public void hadData(MethodFacts facts, RpcCall call, long block) {
        capabilities.data().had(facts, call, block, head());
        // A node may answer for any block, but a client must not raise its head beyond the others'.
        if (block > head() && facts.needsState() && block <= peers.newest()) {
            long nowNanos = clock.getAsLong();
            state.apply(now -> now.raiseHead(block, nowNanos));
        }
    }

    /** Returns the last head that the node named, as far as it is believed. */
    private long head() {
        return state.get().head();
    }

    @Override
    public void slow(RpcCall call, long nanos) {
        latency.unanswered(LatencyClass.of(methods.facts(call.method())), nanos);
    }

    @Override
    public void missedTransaction(EventLoop loop, RpcCall call, long block) {
        // One block more than the transaction's: a node may announce a head before its transactions can be found.
        if (head() > block) {
            capabilities.missedTransaction(loop, call, block);
        }
    }

    @Override
    public void refuted(Flaw flaw, String detail, boolean costs) {
        meters.countFlaw(flaw);
        if (costs) {
            faults.refuted(detail);
        }
    }

    /** Counts the outcome as that of a probe. */
    @Override
    public void probe(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        NodeOutcome refused = budget.takeProbe(call.method());
        if (refused != null) {
            sink.accept(refused);
            return;
        }
        meters.countSent(call.method(), sink.cause() == CallCause.FOLLOWER ? CallCause.FOLLOWER : CallCause.PROBE);
        client.probe(loop, call, deadlineNanos, judged(call, sink));
    }

    /** Returns a sink that counts the outcome as that of a probe, and passes it on as judged. */
    OutcomeSink judged(RpcCall call, OutcomeSink sink) {
        return outcome -> {
            meters.countProbe(outcome);
            sink.accept(judge.judgeProbe(call, outcome));
        };
    }

    /** Returns a sink that counts the outcome of a subscription as that of a probe, and passes on what clients may see of it. */
    OutcomeSink judgedSubscription(RpcCall call, OutcomeSink sink) {
        return outcome -> {
            meters.countProbe(outcome);
            sink.accept(judge.judgeSubscription(call, outcome));
        };
    }

    /**
     * Counts the outcome of an attempt, applies its meaning, and returns it as judged.
     *
     * @param nanos time that it took
     */
    private NodeOutcome apply(RpcCall call, int epoch, long nanos, NodeOutcome outcome) {
        NodeOutcome judged = outcome;
        if (isResult(outcome)) {
            meters.countResult(nanos);
            capabilities.took(call);
        } else {
            judged = judge.judge(call, outcome);
            meters.count(nanos, outcome, judged);
            capabilities.learn(call.method(), judged.verdict());
        }
        // Nobody chooses by the times and classes of a node that is alone.
        LatencyClass of = alone ? null : LatencyClass.of(methods.facts(call.method()));
        if (of != null) {
            time(of, judged, nanos, epoch);
        }
        faults.apply(judged, of, epoch, nanos);
        if (outcome instanceof Answered answered && answered.retryAfterSeconds() > 0) {
            long nowNanos = clock.getAsLong();
            state.apply(now -> now.throttle(answered.retryAfterSeconds(), nowNanos));
        }
        return judged;
    }

    /** Failures without a late answer say nothing about the time of answers. */
    private void time(LatencyClass of, NodeOutcome outcome, long nanos, int epoch) {
        if (outcome instanceof Answered) {
            latency.answered(of, nanos);
            peers.answerTimes().answered(of, nanos);
            LatencyOutlier.Finding slow = outlier.answered(of, nanos, epoch, clock.getAsLong());
            if (slow != null) {
                faults.slow(epoch, slow);
            }
        } else if (((Failed) outcome).fault() == Fault.TIMEOUT) {
            latency.unanswered(of, nanos);
        }
    }

    private static boolean isResult(NodeOutcome outcome) {
        return outcome instanceof Answered answered && answered.reply() instanceof RpcReply.Result;
    }

    /** Counts a call of a subscription. */
    void countSent(RpcCall call, CallCause cause) {
        meters.countSent(call.method(), cause);
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
        meters.close();
        client.close();
    }

    /** Notes that the node gets a call. Returns whether its tier was unused until now. */
    boolean noteCall() {
        if (!called) {
            called = true;
        }
        return unused.get() && unused.compareAndSet(true, false);
    }

    /** Returns whether the node got a call since {@link #takeCalled}. */
    boolean isCalled() {
        return called;
    }

    /** Returns whether the node got a call since this was last asked. */
    boolean takeCalled() {
        boolean before = called;
        called = false;
        return before;
    }

    /** Notes whether calls use the node's tier; if not, the next call to the node ends that. */
    void setTierInUse(boolean inUse) {
        unused.set(!inUse);
    }

    /** Returns whether calls use the node's tier. */
    boolean isTierInUse() {
        return !unused.get();
    }

    /** Returns the present state. */
    NodeState state() {
        return state.get();
    }

    /** Returns the holder of the state, for what reports about it. */
    NodeState.Current current() {
        return state;
    }

    NodeFaults faults() {
        return faults;
    }

    ClassFaults classFaults() {
        return classFaults;
    }

    NodeLatency latency() {
        return latency;
    }

    NodeCapabilities capabilities() {
        return capabilities;
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
            meters.streamed.inc();
        }

        @Override
        public NodeOutcome ended(Attempt attempt, NodeOutcome outcome, boolean isStreamed) {
            if (isStreamed && outcome instanceof Failed) {
                meters.brokenOff.inc();
            }
            inFlight.decrementAndGet();
            return apply(attempt.call(), attempt.epoch(), attempt.answerNanos(), outcome);
        }

        @Override
        public void cancelled() {
            inFlight.decrementAndGet();
            meters.cancelled.inc();
        }
    }
}
