package io.weir.pipeline.filter;

import com.codahale.metrics.Counter;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.function.LongSupplier;

/** Meters of one network's filters. Thread-safe. */
final class FilterMeters {

    private final Meters meters;
    private final String network;
    private final Counter refused;
    private final EnumCounters<FilterEnding> endings;

    FilterMeters(Meters meters, String network) {
        this.meters = meters;
        this.network = network;
        this.refused = meters.counter(Meter.FILTERS_REFUSED, network);
        this.endings = new EnumCounters<>(meters, Meter.FILTERS_ENDED, FilterEnding.class, network);
    }

    void show(LongSupplier open) {
        meters.gauge(Meter.FILTERS, open, network);
    }

    void countRefused() {
        refused.inc();
    }

    void count(FilterEnding ending) {
        endings.count(ending);
    }
}
