package io.weir.pipeline.cache;

import com.codahale.metrics.Counter;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;

/** The counters of one network's fetches of whole blocks. Thread-safe. */
public final class PrefetchMeters {

    private final Counter instead;
    private final Counter extra;
    private final Counter refused;
    private final Counter waited;

    /** Registers the counters. */
    public PrefetchMeters(Meters meters, String network) {
        this.instead = meters.counter(Meter.PREFETCHES, network, "instead");
        this.extra = meters.counter(Meter.PREFETCHES, network, "extra");
        this.refused = meters.counter(Meter.PREFETCHES, network, "over_budget");
        this.waited = meters.counter(Meter.PREFETCH_WAITS, network);
    }

    /** Counts a fetch that replaces a client's call. */
    void countInstead() {
        instead.inc();
    }

    /** Returns the number of fetches that replaced clients' calls. */
    long instead() {
        return instead.getCount();
    }

    /** Counts fetches beyond the clients' calls. */
    void countExtra(int count) {
        extra.inc(count);
    }

    /** Counts a fetch that the budget did not allow. */
    void countRefused() {
        refused.inc();
    }

    /** Counts a call that waits for a fetch. */
    void countWait() {
        waited.inc();
    }
}
