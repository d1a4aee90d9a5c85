package io.weir.upstream.pool;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Timer;
import io.weir.config.NetworkConfig;
import io.weir.config.UpstreamConfig;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.NodeClient.OutcomeSink;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.latency.AnswerTimes;
import io.weir.upstream.latency.LatencyClass;
import io.weir.upstream.latency.NodeLatency;
import io.weir.upstream.verdict.ErrorClass;
import io.weir.upstream.verdict.Verdict;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Outcomes of one node's attempts and probes: judges and counts them, and notes what they say about the node's latency, capabilities
 * and faults. Thread-safe.
 */
final class NodeOutcomes {

    private final MethodCatalogue methods;
    private final AnswerJudge judge;
    private final NodeCapabilities capabilities;
    private final NodeFaults faults;
    private final ClassFaults classFaults;
    private final LatencyOutlier outlier;
    private final NodeLatency latency;
    private final AnswerTimes answerTimes;
    private final boolean alone;
    private final LongSupplier clock;
    private final AttemptMeters calls;
    private final AttemptMeters probes;
    private final Counter results;
    private final EnumCounters<ErrorClass> errors;
    /** Good answers that are errors, such as reverts. */
    private final LongAdder answeredErrors = new LongAdder();

    private final Timer seconds;

    /**
     * @param methods the facts about the methods that the network's nodes serve
     * @param health changes by the faults of attempts
     * @param takenOut runs on any thread when an attempt took the node out
     */
    NodeOutcomes(
            NetworkConfig network,
            UpstreamConfig config,
            MethodCatalogue methods,
            AnswerJudge judge,
            NodeCapabilities capabilities,
            NodeHealth health,
            PoolContext context,
            PoolPeers peers,
            Runnable takenOut) {
        Meters meters = context.meters();
        this.methods = methods;
        this.judge = judge;
        this.capabilities = capabilities;
        this.clock = context.clock();
        this.latency = new NodeLatency(clock);
        this.answerTimes = peers.answerTimes();
        this.outlier = peers.outlier(config.tier());
        this.alone = network.upstreams().size() == 1;
        this.calls = new AttemptMeters(meters, Meter.UPSTREAM_CALLS, network.name(), config.id());
        this.results = calls.results;
        this.errors = new EnumCounters<>(
                meters, Meter.UPSTREAM_ERRORS, ErrorClass.class, ErrorClass::label, network.name(), config.id());
        this.probes = new AttemptMeters(meters, Meter.UPSTREAM_PROBES, network.name(), config.id());
        this.seconds = meters.timer(Meter.UPSTREAM_SECONDS, network.name(), config.id());
        this.classFaults = new ClassFaults(network.ejection().rules(), context.random(), clock);
        this.faults = new NodeFaults(
                health,
                peers.ejections().add(health, config.id()),
                network.ejection().rules(),
                classFaults,
                () -> results.getCount() + answeredErrors.sum(),
                HealthProbe.TIMEOUT_NANOS,
                takenOut,
                clock);
    }

    /**
     * Counts the outcome of an attempt, learns from it, and returns it as judged.
     *
     * @param nanos time that it took
     */
    NodeOutcome ended(RpcCall call, int epoch, long nanos, NodeOutcome outcome) {
        seconds.update(nanos, TimeUnit.NANOSECONDS);
        NodeOutcome judged = outcome;
        if (isResult(outcome)) {
            results.inc();
            capabilities.took(call);
        } else {
            calls.count(outcome);
            judged = judge.judge(call, outcome);
            learn(call.method(), judged);
        }
        // Nobody chooses by the times and classes of a node that is alone.
        LatencyClass of = alone ? null : LatencyClass.of(methods.facts(call.method()));
        if (of != null) {
            time(of, judged, nanos, epoch);
        }
        faults.ended(judged, of, epoch, nanos);
        if (outcome instanceof Answered answered && answered.retryAfterSeconds() > 0) {
            faults.paused(answered.retryAfterSeconds());
        }
        return judged;
    }

    private void learn(String method, NodeOutcome judged) {
        if (judged instanceof Answered) {
            answeredErrors.increment();
        }
        Verdict verdict = judged.verdict();
        if (verdict == null) {
            return;
        }
        if (verdict.errorClass() != null) {
            errors.count(verdict.errorClass());
        }
        if (verdict.lack() == Verdict.Lack.METHOD) {
            capabilities.refused().lacks(method);
        } else if (verdict.is(ErrorClass.EXECUTION_VERDICT)) {
            capabilities.has(method);
        }
    }

    /** Failures without a late answer say nothing about the time of answers. */
    private void time(LatencyClass of, NodeOutcome outcome, long nanos, int epoch) {
        if (outcome instanceof Answered) {
            latency.answered(of, nanos);
            answerTimes.answered(of, nanos);
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

    /** Returns a sink that counts the outcome as that of a probe, and passes it on as judged. */
    OutcomeSink judged(RpcCall call, OutcomeSink sink) {
        return outcome -> {
            probes.count(outcome);
            sink.accept(judge.judgeProbe(call, outcome));
        };
    }

    /** Returns a sink that counts the outcome of a subscription as that of a probe, and passes on what clients may see of it. */
    OutcomeSink judgedSubscription(RpcCall call, OutcomeSink sink) {
        return outcome -> {
            probes.count(outcome);
            sink.accept(judge.judgeSubscription(call, outcome));
        };
    }

    /** Notes that a check refuted an answer of the node, as {@link io.weir.upstream.Upstream#refuted}. */
    void refuted(Flaw flaw, String detail, boolean costs) {
        calls.count(flaw);
        if (costs) {
            faults.refuted(detail);
        }
    }

    /** Notes that the node has not answered a call for this time while another one has. */
    void slow(RpcCall call, long nanos) {
        latency.unanswered(LatencyClass.of(methods.facts(call.method())), nanos);
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

    /**
     * Counters of the outcomes of one node's attempts: {@code result}, {@code error}, and one per fault. A separate counter
     * exists for each flaw of an answer. Thread-safe.
     */
    private static final class AttemptMeters {

        private final Counter results;
        private final Counter errors;
        private final EnumCounters<Fault> faults;
        private final EnumCounters<Flaw> flaws;

        AttemptMeters(Meters meters, Meter meter, String network, String upstream) {
            results = meters.counter(meter, network, upstream, "result");
            errors = meters.counter(meter, network, upstream, "error");
            faults = new EnumCounters<>(meters, meter, Fault.class, network, upstream);
            flaws = new EnumCounters<>(meters, Meter.UPSTREAM_BAD_ANSWERS, Flaw.class, network, upstream);
        }

        /** Counts the flaw of an answer that was counted as a result before. */
        void count(Flaw flaw) {
            flaws.count(flaw);
        }

        void count(NodeOutcome outcome) {
            if (outcome instanceof Answered answered) {
                (answered.reply() instanceof RpcReply.Result ? results : errors).inc();
            } else if (outcome instanceof Failed failed) {
                faults.count(failed.fault());
                if (failed.flaw() != null) {
                    flaws.count(failed.flaw());
                }
            }
        }
    }
}
