package io.weir.transport.request;

import com.codahale.metrics.Counter;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The meters of rejected requests, by reason. Thread-safe. */
public final class RejectionCounters {

    private final Map<Rejection.Reason, Counter> counters = new EnumMap<>(Rejection.Reason.class);

    public RejectionCounters(Meters meters) {
        for (Rejection.Reason reason : Rejection.Reason.values()) {
            String word = reason.name().toLowerCase(Locale.ROOT);
            counters.put(reason, meters.counter(Meter.REQUESTS_REFUSED, word));
        }
    }

    /** Counts one rejection. */
    public void count(Rejection.Reason reason) {
        Counter counter = counters.get(reason);
        if (counter != null) {
            counter.inc();
        }
    }
}
