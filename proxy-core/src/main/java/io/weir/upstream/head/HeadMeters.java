package io.weir.upstream.head;

import static java.util.Objects.requireNonNull;

import com.codahale.metrics.Counter;
import io.weir.chain.HeadTracker;
import io.weir.chain.HeadTracker.Verdict;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The meters of one network's head. Thread-safe. */
public final class HeadMeters implements AutoCloseable {

    private final Map<Verdict, Counter> refreshes = new EnumMap<>(Verdict.class);
    private final Runnable gauge;

    /** Registers them. */
    public HeadMeters(Meters meters, String network, HeadTracker tracker) {
        for (Verdict verdict : Verdict.values()) {
            refreshes.put(
                    verdict,
                    meters.counter(Meter.HEAD_REFRESHES, network, verdict.name().toLowerCase(Locale.ROOT)));
        }
        gauge = meters.gauge(Meter.HEAD, tracker::number, network);
    }

    /** Counts what asking nodes for their heads came to. */
    public void count(Verdict verdict) {
        requireNonNull(refreshes.get(verdict)).inc();
    }

    /** Takes the gauge away; the counters stay. */
    @Override
    public void close() {
        gauge.run();
    }
}
