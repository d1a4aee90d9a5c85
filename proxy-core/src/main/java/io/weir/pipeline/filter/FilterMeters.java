package io.weir.pipeline.filter;

import com.codahale.metrics.Counter;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;

/** Meters of one network's filters. Thread-safe. */
final class FilterMeters {

    private final Meters meters;
    private final String network;
    private final Counter refused;
    private final Map<FilterEnding, Counter> endings = new EnumMap<>(FilterEnding.class);

    FilterMeters(Meters meters, String network) {
        this.meters = meters;
        this.network = network;
        this.refused = meters.counter(Meter.FILTERS_REFUSED, network);
        for (FilterEnding ending : FilterEnding.values()) {
            String reason = ending.name().toLowerCase(Locale.ROOT);
            endings.put(ending, meters.counter(Meter.FILTERS_ENDED, network, reason));
        }
    }

    void show(LongSupplier open) {
        meters.gauge(Meter.FILTERS, open, network);
    }

    void countRefused() {
        refused.inc();
    }

    void count(FilterEnding ending) {
        Counter counter = endings.get(ending);
        if (counter != null) {
            counter.inc();
        }
    }
}
