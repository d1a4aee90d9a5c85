package io.weir.upstream.head;

import static java.util.Objects.requireNonNull;

import com.codahale.metrics.Counter;
import io.weir.chain.HeadTracker;
import io.weir.chain.HeadTracker.RoundResult;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Meters of one network's head. Thread-safe. */
public final class HeadMeters implements AutoCloseable {

    private final Map<RoundResult, Counter> refreshes = new EnumMap<>(RoundResult.class);
    private final Runnable gauge;

    /** Registers the meters. */
    public HeadMeters(Meters meters, String network, HeadTracker tracker) {
        for (RoundResult result : RoundResult.values()) {
            refreshes.put(
                    result,
                    meters.counter(Meter.HEAD_REFRESHES, network, result.name().toLowerCase(Locale.ROOT)));
        }
        gauge = meters.gauge(Meter.HEAD, tracker::number, network);
    }

    /** Counts the result of a round. */
    public void count(RoundResult result) {
        requireNonNull(refreshes.get(result)).inc();
    }

    /** Removes the gauge. The counters stay. */
    @Override
    public void close() {
        gauge.run();
    }
}
