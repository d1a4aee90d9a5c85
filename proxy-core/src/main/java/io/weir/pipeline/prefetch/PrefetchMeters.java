package io.weir.pipeline.prefetch;

import com.codahale.metrics.Counter;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;

/** What one network's gathering did. Thread-safe. */
final class PrefetchMeters {

    private final Counter instead;
    private final Counter extra;
    private final Counter refused;
    private final Counter waited;

    /** Registers them. */
    PrefetchMeters(Meters meters, String network) {
        this.instead = meters.counter(Meter.PREFETCHES, network, "instead");
        this.extra = meters.counter(Meter.PREFETCHES, network, "extra");
        this.refused = meters.counter(Meter.PREFETCHES, network, "over_budget");
        this.waited = meters.counter(Meter.PREFETCH_WAITS, network);
    }

    /** Counts a fetch in the place of what a client asked for. */
    void countInstead() {
        instead.inc();
    }

    /** Counts a fetch beyond what clients asked for. */
    void countExtra() {
        extra.inc();
    }

    /** Counts a fetch that was not made for want of budget. */
    void countRefused() {
        refused.inc();
    }

    /** Counts a call that waits for a fetch. */
    void countWait() {
        waited.inc();
    }
}
