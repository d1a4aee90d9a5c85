package io.weir.upstream.pool;

import io.netty.channel.EventLoop;
import io.weir.api.NetworkKind;
import io.weir.config.Ejection;
import io.weir.config.NetworkConfig;
import io.weir.config.UpstreamConfig;
import io.weir.config.UpstreamConfig.Transactions;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.MethodFacts;
import io.weir.method.MethodPattern;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.Attempt;
import io.weir.upstream.CallCause;
import io.weir.upstream.LatencyClass;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool.Choice;
import io.weir.upstream.UpstreamStatus;
import io.weir.upstream.UpstreamStatus.BudgetStatus;
import io.weir.upstream.budget.NodeBudget;
import io.weir.upstream.verdict.Verdict;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One node: its client, its state, what it can answer, its budget and its meters. Calls and probes go through it, and it applies the
 * meaning of each outcome to its state. Thread-safe.
 */
final class Node implements Upstream, HealthProbe.Target, Attempt.Counting {

    /** Null answers to check while nothing is known of a node: few calls, and soon enough. A provider bills them. */
    private static final int CHECKS_PER_MINUTE = 6;

    /** The pool as its nodes see it. Its monitor is held while a node is ejected. Thread-safe. */
    interface Pool {

        /** Returns all its nodes; to be asked once they are made. */
        List<Node> nodes();

        /** Returns the facts about the methods that they serve. */
        MethodCatalogue methods();

        /** Returns the newest block on which they agree. */
        long newest();

        /** Returns the times of the answers of all of them. */
        NodeLatency.AnswerTimes answerTimes();

        /** Notes that an attempt took a node out; called on any thread. */
        void takenOut(Node node);
    }

    private final Pool pool;
    private final UpstreamConfig config;
    private final MethodCatalogue methods;
    private final NodeClient client;
    private final NodeClient carrier;
    private final AtomicReference<NodeState> state;
    private final AnswerJudge judge;
    private final NodeFaults faults;
    private final NodeLatency latency;
    private final boolean alone;
    private final LongSupplier clock;
    private final long timeoutNanos;
    private final NodeMeters meters;
    /** Null without a bound. */
    private final @Nullable NodeBudget budget;

    private final Choice choice = new Choice(this, false);
    private final boolean servesAll;
    private final NodeData data;
    private final TransactionHistory transactions;
    /** Null until the node refuses a call. Most nodes take every call. */
    private volatile @Nullable RefusedCalls refused;

    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile int weight;
    /** Whether calls use no node of its tier, so that the next call to it begins a round of probes. */
    private final AtomicBoolean unused = new AtomicBoolean();

    private volatile boolean called;

    /**
     * @param kind knows which errors belong to the network itself
     * @param budget of units; null without a bound
     */
    Node(
            Pool pool,
            NetworkConfig network,
            NetworkKind kind,
            UpstreamConfig config,
            NodeClient client,
            Meters meters,
            @Nullable NodeBudget budget,
            IntUnaryOperator random,
            LongSupplier clock) {
        this.pool = pool;
        this.config = config;
        this.methods = pool.methods();
        this.weight = config.weight();
        this.client = client;
        this.carrier = client.carrier();
        this.clock = clock;
        this.alone = network.upstreams().size() == 1;
        this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(config.timeoutMillis());
        this.state = new AtomicReference<>(NodeState.unprobed(clock.getAsLong()));
        this.servesAll = config.serves().methods().contains("*");
        this.data = new NodeData(config.serves(), clock);
        this.transactions = new TransactionHistory(
                this,
                config.transactions(),
                config.transactions() == Transactions.ALL || config.serves().logsFrom() == 0,
                config.isHosted() ? 0 : CHECKS_PER_MINUTE,
                meters.counter(Meter.MISSED_TRANSACTIONS, network.name(), config.id()),
                meters.counter(Meter.NULL_CHECKS, network.name(), config.id()),
                clock);
        this.judge = new AnswerJudge(kind, methods, network.name(), config);
        this.meters = new NodeMeters(meters, network.name(), config.id(), methods, state::get, inFlight::get);
        Ejection.Rules rules = network.ejection().rules();
        this.latency = new NodeLatency(rules, this::latenciesOfTier, clock);
        this.faults = new NodeFaults(this, pool, this.meters, rules, random, clock);
        this.budget = budget;
    }

    private List<NodeLatency> latenciesOfTier() {
        return pool.nodes().stream()
                .filter(one -> one != this && one.tier() == tier())
                .map(Node::latency)
                .toList();
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
        String detail = now.detail().isEmpty() ? faults.detailOfClasses() : now.detail();
        return new UpstreamStatus(
                id(), tier(), weight, now.isDrained(), now.health(), now.head(), inFlight.get(), held, detail);
    }

    @Override
    public void drain(boolean drained) {
        apply(now -> now.withDrained(drained));
    }

    @Override
    public void weigh(int other) {
        weight = other;
    }

    @Override
    public void ask(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
        ask(false, loop, call, deadlineNanos, attempt);
    }

    @Override
    public void askAnew(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
        ask(true, loop, call, deadlineNanos, attempt);
    }

    private void ask(boolean anew, EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
        NodeOutcome refusal = budget == null ? null : budget.take(call.method());
        if (refusal != null) {
            attempt.end(refusal);
            return;
        }
        meters.countSent(call.method(), attempt.cause());
        long start = clock.getAsLong();
        long left = Math.min(deadlineNanos - start, timeoutNanos);
        inFlight.incrementAndGet();
        attempt.countedBy(this, call, state.get().epoch(), start);
        if (anew) {
            carrier.askAnew(loop, call, start + left, attempt);
        } else {
            carrier.ask(loop, call, start + left, attempt);
        }
    }

    /** Returns whether the node serves a method, according to its settings. */
    boolean serves(String method) {
        return servesAll || MethodPattern.anyMatches(config.serves().methods(), method);
    }

    /** Returns whether the node lacks the method of a call or refuses the form of its parameters. */
    boolean refuses(RpcCall call) {
        RefusedCalls record = refused;
        return record != null && record.holds(call);
    }

    @Override
    public void refusedParams(RpcCall call) {
        refusals().refused(call);
    }

    @Override
    public boolean takeRefusalRepeat() {
        return refusals().takeRepeat();
    }

    private RefusedCalls refusals() {
        RefusedCalls record = refused;
        return record == null ? firstRefusals() : record;
    }

    private synchronized RefusedCalls firstRefusals() {
        RefusedCalls record = refused;
        if (record == null) {
            record = new RefusedCalls(clock);
            refused = record;
        }
        return record;
    }

    NodeData data() {
        return data;
    }

    TransactionHistory transactions() {
        return transactions;
    }

    @Override
    public void lackedData(RpcCall call, long block) {
        if (data.lacked(methods.facts(call.method()), call, block, head())) {
            meters.lacked.inc();
        }
    }

    @Override
    public void hadData(MethodFacts facts, RpcCall call, long block) {
        data.had(facts, call, block, head());
        // A node may answer for any block, but a client must not raise its head beyond the others'.
        if (block > head() && facts.needsState() && block <= pool.newest()) {
            long nowNanos = clock.getAsLong();
            apply(now -> now.raiseHead(block, nowNanos));
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
            transactions.missedBy(loop, call, block);
        }
    }

    @Override
    public void refuted(Flaw flaw, String detail, boolean costs) {
        meters.countFlaw(flaw);
        if (costs) {
            faults.refuted(detail);
        }
    }

    @Override
    public void probe(EventLoop loop, RpcCall call, long deadlineNanos, CallCause cause, Consumer<NodeOutcome> taker) {
        NodeOutcome refusal = takeProbe(call);
        if (refusal != null) {
            taker.accept(refusal);
            return;
        }
        meters.countSent(call.method(), cause);
        carrier.probe(loop, call, deadlineNanos, Attempt.of(outcome -> taker.accept(judgedProbe(call, outcome))));
    }

    /** Counts the outcome of a probe, and returns it as judged. */
    NodeOutcome judgedProbe(RpcCall call, NodeOutcome outcome) {
        meters.countProbe(outcome);
        return judge.judgeProbe(call, outcome);
    }

    /** Counts the outcome of a subscription as that of a probe, and returns what clients may see of it. */
    NodeOutcome judgedSubscription(RpcCall call, NodeOutcome outcome) {
        meters.countProbe(outcome);
        return judge.judgeSubscription(call, outcome);
    }

    /** Counts the outcome of an attempt, applies its meaning, and returns it as judged. */
    private NodeOutcome apply(RpcCall call, int epoch, long nanos, NodeOutcome outcome) {
        NodeOutcome judged = outcome;
        if (isResult(outcome)) {
            meters.countResult(nanos);
            RefusedCalls record = refused;
            if (record != null) {
                record.took(call);
            }
        } else {
            judged = judge.judge(call, outcome);
            meters.count(nanos, outcome, judged);
            learnMethods(call.method(), judged.verdict());
        }
        // Nobody chooses by the times and classes of a node that is alone.
        LatencyClass of = alone ? null : LatencyClass.of(methods.facts(call.method()));
        if (of != null) {
            time(of, judged, nanos, epoch);
        }
        faults.apply(judged, of, epoch, nanos);
        if (outcome instanceof Answered answered && answered.retryAfterSeconds() > 0) {
            long nowNanos = clock.getAsLong();
            apply(now -> now.throttle(answered.retryAfterSeconds(), nowNanos));
        }
        return judged;
    }

    /** Learns from an outcome that is no result which methods the node has. */
    private void learnMethods(String method, @Nullable Verdict verdict) {
        if (verdict != null && verdict.lack() == Verdict.Lack.METHOD) {
            refusals().lacking.lacks(method);
        } else if (verdict != null && verdict.isOfNetwork() && refused != null) {
            refusals().lacking.has(method);
        }
    }

    /** Failures without a late answer say nothing about the time of answers. */
    private void time(LatencyClass of, NodeOutcome outcome, long nanos, int epoch) {
        if (outcome instanceof Answered) {
            latency.answered(of, nanos);
            pool.answerTimes().answered(of, nanos);
            NodeLatency.Finding slow = latency.compared(of, nanos, epoch);
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

    void countSent(RpcCall call, CallCause cause) {
        meters.countSent(call.method(), cause);
    }

    boolean affords(String method) {
        return budget == null || budget.affords(method);
    }

    /** Notes that a call went to another node because of the budget. */
    void overflowed() {
        if (budget != null) {
            budget.overflowed();
        }
    }

    /** Takes the units of a probe or of a call about a subscription. Returns null if it may be sent, otherwise its outcome. */
    @Nullable
    Failed takeProbe(RpcCall call) {
        return budget == null ? null : budget.takeProbe(call.method());
    }

    /** Takes the units of a message of a subscription, which has arrived. Returns false if the day's are spent with it. */
    boolean takeNotification() {
        return budget == null || budget.takeNotification();
    }

    /** Returns the nanoseconds until the rate limit or the spent budget ends; 0 or less if the node may be asked. */
    long throttledNanos() {
        return Math.max(state().throttledNanos(clock.getAsLong()), budget == null ? 0 : budget.waitNanos());
    }

    @Override
    public @Nullable BudgetStatus budget() {
        return budget == null ? null : budget.status();
    }

    /** Closes the connections and removes the gauges. The counters stay. */
    void close() {
        if (budget != null) {
            budget.close();
        }
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

    boolean isTierInUse() {
        return !unused.get();
    }

    /** Returns the choice of this node while it is healthy, the same one for all calls. */
    Choice choice() {
        return choice;
    }

    NodeState state() {
        return state.get();
    }

    /** Applies a rule to the state, which must be pure. Returns whether the report counted. Any loop may report. */
    @SuppressWarnings("ReferenceEquality") // The same object needs no copy.
    boolean apply(UnaryOperator<NodeState> rule) {
        NodeState before = state.get();
        NodeState after = rule.apply(before);
        while (after != before && !state.compareAndSet(before, after)) {
            before = state.get();
            after = rule.apply(before);
        }
        return after != before;
    }

    /** Applies a rule likewise. Returns whether the node went out or came back. */
    boolean turn(UnaryOperator<NodeState> rule) {
        NodeState before = state.getAndUpdate(rule);
        return rule.apply(before).epoch() != before.epoch();
    }

    NodeFaults faults() {
        return faults;
    }

    NodeLatency latency() {
        return latency;
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
