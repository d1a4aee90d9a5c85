package io.weir.upstream.pool;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Timer;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.verdict.ErrorClass;
import io.weir.upstream.verdict.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Meters of one node: calls sent by method and cause, outcomes of attempts and probes, and gauges of its state. Thread-safe. */
@SuppressWarnings("EnumOrdinal") // An array by ordinal costs a call less than a map.
final class NodeMeters {

    private static final int CAUSES = CallCause.values().length;
    private static final String OTHER = "other";

    private final Meters meters;
    private final String network;
    private final String upstream;
    /** Counters of sent calls by method, each registered with its first call; unchanging apart from the counters. */
    private final Map<String, AtomicReferenceArray<Counter>> sent = new HashMap<>();

    private final AtomicReferenceArray<Counter> sentOthers = new AtomicReferenceArray<>(CAUSES);
    private final Timer seconds;
    private final Outcomes calls;
    private final Outcomes probes;
    private final EnumCounters<ErrorClass> errors;
    /** Good answers that are errors, such as reverts. */
    private final LongAdder answeredErrors = new LongAdder();

    /** Calls for data that the node lacks. */
    final Counter lacked;
    /** Attempts that were given up. */
    final Counter cancelled;
    /** Results that went on while they arrived. */
    final Counter streamed;
    /** Streamed results that the node did not finish. */
    final Counter brokenOff;

    final EnumCounters<NodeFaults.Reason> ejections;
    /** Ejections that would have left too few nodes. */
    final Counter ejectionsRefused;

    private final List<Runnable> gauges;

    NodeMeters(
            Meters meters,
            String network,
            String upstream,
            MethodCatalogue methods,
            Supplier<NodeState> state,
            LongSupplier inFlight) {
        this.meters = meters;
        this.network = network;
        this.upstream = upstream;
        for (MethodFacts facts : methods.all()) {
            sent.put(facts.name(), new AtomicReferenceArray<>(CAUSES));
        }
        seconds = meters.timer(Meter.UPSTREAM_SECONDS, network, upstream);
        calls = new Outcomes(meters, Meter.UPSTREAM_CALLS, network, upstream);
        probes = new Outcomes(meters, Meter.UPSTREAM_PROBES, network, upstream);
        errors = new EnumCounters<>(
                meters, Meter.UPSTREAM_ERRORS, ErrorClass.class, ErrorClass::label, network, upstream);
        lacked = meters.counter(Meter.LACKED_DATA, network, upstream);
        cancelled = meters.counter(Meter.UPSTREAM_CANCELLED, network, upstream);
        streamed = meters.counter(Meter.UPSTREAM_STREAMED, network, upstream);
        brokenOff = meters.counter(Meter.UPSTREAM_BROKEN_OFF, network, upstream);
        ejections = new EnumCounters<>(meters, Meter.EJECTIONS, NodeFaults.Reason.class, network, upstream);
        ejectionsRefused = meters.counter(Meter.EJECTIONS_REFUSED, network, upstream);
        gauges = List.of(
                meters.gauge(Meter.UPSTREAM_IN_FLIGHT, inFlight, network, upstream),
                meters.gauge(Meter.UPSTREAM_HEAD, () -> state.get().head(), network, upstream),
                meters.gauge(Meter.UPSTREAM_EJECTED, () -> state.get().isEjected() ? 1 : 0, network, upstream),
                meters.gauge(Meter.UPSTREAM_HEALTHY, () -> state.get().isInPool() ? 1 : 0, network, upstream));
    }

    /** Counts a call that is sent. Methods outside the catalogue count together. */
    void countSent(String method, CallCause cause) {
        AtomicReferenceArray<Counter> known = sent.get(method);
        AtomicReferenceArray<Counter> counters = known == null ? sentOthers : known;
        Counter counter = counters.get(cause.ordinal());
        if (counter == null) {
            counter = meters.counter(
                    Meter.UPSTREAM_SENT, network, upstream, known == null ? OTHER : method, cause.label());
            counters.set(cause.ordinal(), counter);
        }
        counter.inc();
    }

    void countResult(long nanos) {
        seconds.update(nanos, TimeUnit.NANOSECONDS);
        calls.results.inc();
    }

    /**
     * Counts an outcome of an attempt that is no result.
     *
     * @param judged the same outcome with its meaning
     */
    void count(long nanos, NodeOutcome outcome, NodeOutcome judged) {
        seconds.update(nanos, TimeUnit.NANOSECONDS);
        calls.count(outcome);
        if (judged instanceof Answered) {
            answeredErrors.increment();
        }
        Verdict verdict = judged.verdict();
        if (verdict != null && verdict.errorClass() != null) {
            errors.count(verdict.errorClass());
        }
    }

    /** Counts the flaw of an answer that was counted as a result before. */
    void countFlaw(Flaw flaw) {
        calls.flaws.count(flaw);
    }

    void countProbe(NodeOutcome outcome) {
        probes.count(outcome);
    }

    long answers() {
        return calls.results.getCount() + answeredErrors.sum();
    }

    /** Removes the gauges. The counters stay. */
    void close() {
        gauges.forEach(Runnable::run);
    }

    /** Counters of outcomes: {@code result}, {@code error}, and one for each fault and each flaw. Thread-safe. */
    private static final class Outcomes {

        private final Counter results;
        private final Counter errors;
        private final EnumCounters<Fault> faults;
        private final EnumCounters<Flaw> flaws;

        Outcomes(Meters meters, Meter meter, String network, String upstream) {
            results = meters.counter(meter, network, upstream, "result");
            errors = meters.counter(meter, network, upstream, "error");
            faults = new EnumCounters<>(meters, meter, Fault.class, network, upstream);
            flaws = new EnumCounters<>(meters, Meter.UPSTREAM_BAD_ANSWERS, Flaw.class, network, upstream);
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
