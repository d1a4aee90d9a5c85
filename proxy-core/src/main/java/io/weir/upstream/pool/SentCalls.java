package io.weir.upstream.pool;

import com.codahale.metrics.Counter;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.CallCause;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Counters of the calls that were sent to one node, by method and cause. Each is registered with its first call. Methods outside the
 * catalogue count together. Thread-safe.
 */
@SuppressWarnings("EnumOrdinal") // An array by ordinal costs a call less than a map.
final class SentCalls {

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
