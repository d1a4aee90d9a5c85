package io.weir.upstream.batch;

import com.codahale.metrics.Counter;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;

/** Counters of the batches to one node. Thread-safe. */
public final class BatchMeters {

    private final Counter batches;
    private final Counter calls;
    private final Counter splits;

    public BatchMeters(Meters meters, String network, String upstream) {
        batches = meters.counter(Meter.UPSTREAM_BATCHES, network, upstream);
        calls = meters.counter(Meter.UPSTREAM_BATCHED_CALLS, network, upstream);
        splits = meters.counter(Meter.UPSTREAM_BATCHES_SPLIT, network, upstream);
    }

    void sent(int size) {
        batches.inc();
        calls.inc(size);
    }

    void split() {
        splits.inc();
    }
}
