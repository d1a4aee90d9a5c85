package io.weir.upstream;

import static java.util.Objects.requireNonNull;

import com.codahale.metrics.Counter;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counts the outcomes of asking one node: {@code result}, {@code error}, and each fault by its name. Thread-safe. */
final class OutcomeMeters {

    private final Counter results;
    private final Counter errors;
    private final Map<Fault, Counter> faults = new EnumMap<>(Fault.class);

    OutcomeMeters(Meters meters, Meter meter, String network, String upstream) {
        results = meters.counter(meter, network, upstream, "result");
        errors = meters.counter(meter, network, upstream, "error");
        for (Fault fault : Fault.values()) {
            faults.put(
                    fault, meters.counter(meter, network, upstream, fault.name().toLowerCase(Locale.ROOT)));
        }
    }

    void count(NodeOutcome outcome) {
        if (outcome instanceof Answered answered) {
            (answered.reply() instanceof RpcReply.Result ? results : errors).inc();
        } else if (outcome instanceof Failed failed) {
            requireNonNull(faults.get(failed.fault())).inc();
        }
    }
}
