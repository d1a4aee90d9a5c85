package io.weir.upstream.http;

import com.codahale.metrics.Counter;
import io.weir.limit.Budget;
import io.weir.limit.Reservation;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import org.jspecify.annotations.Nullable;

/** The bound on results that go on to their clients while they arrive, over all nodes. Thread-safe. */
public final class StreamLimit {

    private final Budget open;
    private final Counter refused;

    /** @param max results at once; 0 for none */
    public StreamLimit(int max, Meters meters) {
        open = new Budget(max);
        refused = meters.counter(Meter.STREAMS_REFUSED);
        meters.gauge(Meter.STREAMS_IN_FLIGHT, open::taken);
    }

    /** Returns the place of one more result of a holder, or null if there are too many, or too many of its own. */
    @Nullable
    Reservation open(Object holder) {
        Reservation place = open.reserve(holder);
        if (place.tryAdd(1)) {
            return place;
        }
        refused.inc();
        return null;
    }
}
