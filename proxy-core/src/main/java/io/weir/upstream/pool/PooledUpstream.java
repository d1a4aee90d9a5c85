package io.weir.upstream.pool;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Timer;
import io.netty.channel.EventLoop;
import io.weir.api.NetworkKind;
import io.weir.config.NetworkConfig;
import io.weir.config.UpstreamConfig;
import io.weir.jsonrpc.RpcCall;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeClient.OutcomeSink;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamStatus;
import io.weir.upstream.UpstreamStatus.Health;
import io.weir.upstream.verdict.FalseAnswers;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A node with its client, load, health and meters. Thread-safe.
 *
 * <p>What an attempt says of the node's health:
 *
 * <ul>
 *   <li>a connection that cannot be made, or breaks under a call, takes it out at once, and so do refused credentials; a kept
 *       connection that breaks before an answer begins says nothing, because the node may have closed it unused;
 *   <li>a server error, an answer that is none, or a timeout takes it out when it is the third in a row; a timeout counts only
 *       where the node had the call, for at least as long as a probe may take;
 *   <li>a rate limit has it left alone for a while, but not out;
 *   <li>answers that were refuted take it out when there were several lately, and for a while: see {@link FalseAnswers};
 *   <li>errors that are such a refusal or fault in words count as what they are; see {@link AnswerJudge};
 *   <li>any other answer, one that is too large among them, ends a row of faults, but only a good probe brings it back.
 * </ul>
 */
final class PooledUpstream implements Upstream, ProbeTarget {

    private final UpstreamConfig config;
    private final NodeClient client;
    private final AnswerJudge judge;
    private final NodeHealth health;
    private final FalseAnswers falseAnswers;
    private final TransactionHistory transactions;
    private final RefusedForms refusedForms;
    private final LongSupplier clock;
    private final Consumer<PooledUpstream> takenOut;
    private final long timeoutNanos;
    private final long probeNanos;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AttemptMeters calls;
    private final AttemptMeters probes;
    private final Timer seconds;
    private final Counter nullChecks;
    private final Counter missed;
    private final List<Runnable> gauges;

    /**
     * Puts a node together.
     *
     * @param kind knows which errors are the network's own
     * @param takenOut hears of it, on any thread, when an attempt took the node out
     */
    PooledUpstream(
            NetworkConfig network,
            NetworkKind kind,
            UpstreamConfig config,
            NodeClient client,
            PoolContext context,
            Consumer<PooledUpstream> takenOut) {
        Meters meters = context.meters();
        this.config = config;
        this.client = client;
        this.clock = context.clock();
        this.judge =
                new AnswerJudge(kind::isFinalError, new Redaction(config), meters, network.name(), config.id(), clock);
        this.health = new NodeHealth(clock);
        this.falseAnswers = new FalseAnswers(clock);
        this.transactions = new TransactionHistory(config.transactions(), config.nullChecks(), clock);
        this.refusedForms = new RefusedForms(clock);
        this.missed = meters.counter(Meter.MISSED_TRANSACTIONS, network.name(), config.id());
        this.nullChecks = meters.counter(Meter.NULL_CHECKS, network.name(), config.id());
        this.takenOut = takenOut;
        this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(config.timeoutMillis());
        this.probeNanos = TimeUnit.MILLISECONDS.toNanos(network.health().timeoutMillis());
        this.calls = new AttemptMeters(meters, Meter.UPSTREAM_CALLS, network.name(), config.id());
        this.probes = new AttemptMeters(meters, Meter.UPSTREAM_PROBES, network.name(), config.id());
        this.seconds = meters.timer(Meter.UPSTREAM_SECONDS, network.name(), config.id());
        this.gauges = List.of(
                meters.gauge(Meter.UPSTREAM_IN_FLIGHT, inFlight::get, network.name(), config.id()),
                meters.gauge(Meter.UPSTREAM_HEAD, health::head, network.name(), config.id()),
                meters.gauge(
                        Meter.UPSTREAM_HEALTHY,
                        () -> health.health() == Health.HEALTHY ? 1 : 0,
                        network.name(),
                        config.id()));
    }

    @Override
    public String id() {
        return config.id();
    }

    @Override
    public UpstreamStatus status() {
        Health now = health.health();
        String detail = now == Health.HEALTHY ? "" : health.detail();
        return new UpstreamStatus(id(), tier(), weight(), now, health.head(), inFlight.get(), detail);
    }

    @Override
    public void ask(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        ask(client::ask, loop, call, deadlineNanos, sink);
    }

    @Override
    public void askAnew(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        ask(client::askAnew, loop, call, deadlineNanos, sink);
    }

    /** A way to ask the client. */
    private interface Way {
        void ask(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink);
    }

    private void ask(Way way, EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        long start = clock.getAsLong();
        long left = Math.min(deadlineNanos - start, timeoutNanos);
        int epoch = health.epoch();
        inFlight.incrementAndGet();
        way.ask(loop, call, start + left, outcome -> {
            inFlight.decrementAndGet();
            long nanos = clock.getAsLong() - start;
            calls.count(outcome);
            seconds.update(nanos, TimeUnit.NANOSECONDS);
            NodeOutcome judged = judge.judge(call, outcome);
            learn(judged, epoch, nanos);
            if (judged instanceof Answered answered && answered.verdict() == null) {
                refusedForms.took(call);
            }
            sink.accept(judged);
        });
    }

    @Override
    public boolean lacks(String method) {
        return judge.isLacking(method);
    }

    /** Whether it is known not to take the call: it lacks the method, or refused parameters of this form. */
    boolean lacks(RpcCall call) {
        return judge.isLacking(call.method()) || refusedForms.holds(call);
    }

    @Override
    public void refusedParams(RpcCall call) {
        refusedForms.refused(call);
    }

    @Override
    public boolean takeRefusalRepeat() {
        return refusedForms.takeRepeat();
    }

    @Override
    public void missedTransaction(EventLoop loop, RpcCall call, long block) {
        // One block more than the transaction's, because a head may be told before what it brings can be found.
        if (health.head() > block) {
            missed.inc();
            check(loop, transactions.missed(call, block));
        }
    }

    private void check(EventLoop loop, MissCheck.@Nullable Miss miss) {
        if (miss != null) {
            long deadline = clock.getAsLong() + probeNanos;
            MissCheck.run(this, loop, deadline, miss, result -> transactions.checked(miss, result));
        }
    }

    /** Whether it is known to lack old transactions. */
    boolean lacksTransactions() {
        return transactions.isLacking();
    }

    /** Whether a null answer of it to this lookup of a transaction is to be checked; what may be checked is bounded. */
    boolean takeNullCheck(RpcCall call) {
        return transactions.isLacking() || transactions.takeCheck(call);
    }

    void countNullCheck() {
        nullChecks.inc();
    }

    /** Asks it again for a transaction that it lacked, where it is time. */
    void recheckTransactions(EventLoop loop) {
        check(loop, transactions.dueRecheck());
    }

    @Override
    public void refuted(Flaw flaw, String detail, boolean costs) {
        calls.count(flaw);
        if (costs && falseAnswers.add() && health.down(health.epoch(), "false answers, the last: " + detail)) {
            takenOut.accept(this);
        }
    }

    /** For how long it is left out for false answers; 0 or less where it is not. */
    long distrustedNanos() {
        return falseAnswers.leftOutNanos();
    }

    /** Counts the outcome as that of a probe. */
    @Override
    public void probe(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        client.probe(loop, call, deadlineNanos, outcome -> {
            probes.count(outcome);
            sink.accept(judge.judgeProbe(call, outcome));
        });
    }

    private void learn(NodeOutcome outcome, int epoch, long nanos) {
        if (!(outcome instanceof Failed failed)) {
            health.answered();
            return;
        }
        if (!failed.counts()) {
            return;
        }
        boolean out = switch (failed.fault()) {
            case CONNECT, DISCONNECTED, CREDENTIALS -> health.down(epoch, failed.detail());
            case SERVER_ERROR, BAD_ANSWER -> health.fault(epoch, failed.detail());
            case TIMEOUT ->
                failed.executed() == Executed.MAYBE && nanos >= probeNanos && health.fault(epoch, failed.detail());
            case RATE_LIMITED -> {
                health.throttle(failed.retryAfterSeconds());
                yield false;
            }
            case TOO_LARGE, CALL_TOO_LARGE -> {
                health.answered();
                yield false;
            }
            case STALE_CONNECTION, INTERRUPTED, OVERLOADED, NO_ROOM, CLOSED, INTERNAL -> false;
            case FALSE_ANSWER, UNVERIFIABLE, UNCHECKED -> false;
        };
        if (out) {
            takenOut.accept(this);
        }
    }

    /** Closes its connections and takes its gauges away; its counters stay. */
    void close() {
        gauges.forEach(Runnable::run);
        client.close();
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
        return config.weight();
    }

    int inFlight() {
        return inFlight.get();
    }
}
