package io.weir.upstream.head;

import static java.util.Objects.requireNonNull;

import com.codahale.metrics.Counter;
import io.weir.chain.HeadTracker;
import io.weir.chain.HeadTracker.RoundResult;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Meters of one network's head. Thread-safe. */
public final class HeadMeters implements AutoCloseable {

    private final Map<RoundResult, Counter> refreshes = new EnumMap<>(RoundResult.class);
    private final List<Runnable> gauges;

    /** Registers the meters. */
    public HeadMeters(Meters meters, String network, HeadTracker tracker) {
        for (RoundResult result : RoundResult.values()) {
            refreshes.put(
                    result,
                    meters.counter(Meter.HEAD_REFRESHES, network, result.name().toLowerCase(Locale.ROOT)));
        }
        gauges = List.of(
                meters.gauge(Meter.HEAD, tracker::number, network),
                meters.gauge(Meter.HEAD_ANNOUNCED, () -> tracker.isAnnounced() ? 1 : 0, network));
    }

    /** Counts the result of a round. */
    public void count(RoundResult result) {
        requireNonNull(refreshes.get(result)).inc();
    }

    /** Removes the gauges. The counters stay. */
    @Override
    public void close() {
        gauges.forEach(Runnable::run);
    }
}
