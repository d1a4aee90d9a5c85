package io.weir.upstream.link;

import com.codahale.metrics.Counter;
import io.weir.limit.Budget;
import io.weir.limit.Reservation;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import org.jspecify.annotations.Nullable;

/** The bound on results that go on to their clients while they arrive, over all nodes. Thread-safe. */
public final class StreamLimit {

    /** With 256 KiB each within the bytes in flight, fewer than a large heap has; a result beyond them is collected whole. */
    public static final int MAX = 1_000;

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
