package io.weir.upstream.pool;

import static java.util.Objects.requireNonNull;

import com.codahale.metrics.Counter;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Counters of the outcomes of one node's attempts: {@code result}, {@code error}, and one per fault. A separate counter
 * exists for each flaw of an answer. Thread-safe.
 */
final class AttemptMeters {

    private final Counter results;
    private final Counter errors;
    private final Map<Fault, Counter> faults;
    private final Map<Flaw, Counter> flaws;

    AttemptMeters(Meters meters, Meter meter, String network, String upstream) {
        results = meters.counter(meter, network, upstream, "result");
        errors = meters.counter(meter, network, upstream, "error");
        faults = each(Fault.class, label -> meters.counter(meter, network, upstream, label));
        flaws = each(Flaw.class, label -> meters.counter(Meter.UPSTREAM_BAD_ANSWERS, network, upstream, label));
    }

    private static <E extends Enum<E>> Map<E, Counter> each(Class<E> type, Function<String, Counter> counter) {
        Map<E, Counter> counters = new EnumMap<>(type);
        for (E constant : type.getEnumConstants()) {
            counters.put(constant, counter.apply(constant.name().toLowerCase(Locale.ROOT)));
        }
        return counters;
    }

    /** Returns the counter of results. */
    Counter results() {
        return results;
    }

    /** Counts the flaw of an answer that was counted as a result before. */
    void count(Flaw flaw) {
        requireNonNull(flaws.get(flaw)).inc();
    }

    void count(NodeOutcome outcome) {
        if (outcome instanceof Answered answered) {
            (answered.reply() instanceof RpcReply.Result ? results : errors).inc();
        } else if (outcome instanceof Failed failed) {
            requireNonNull(faults.get(failed.fault())).inc();
            if (failed.flaw() != null) {
                requireNonNull(flaws.get(failed.flaw())).inc();
            }
        }
    }
}
