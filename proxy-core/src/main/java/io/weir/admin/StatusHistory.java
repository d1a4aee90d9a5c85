package io.weir.admin;

import io.weir.metrics.CallTotals;
import io.weir.metrics.Meters;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The calls of the last hour by minute, and the reorganisations of the last day by hour, from samples of the meters. Thread-safe.
 */
final class StatusHistory {

    static final int MINUTES = 60;
    private static final int HOURS = 24;
    /** Shorter spans say little of a rate. */
    private static final double MIN_SECONDS = 5;

    private final Meters meters;
    private final Deque<Sample> minutes = new ArrayDeque<>();
    private final Deque<Sample> hours = new ArrayDeque<>();

    /** The meters at a moment. Immutable. */
    record Sample(long nanos, CallTotals totals) {

        /** Returns the calls since another sample, all and those without an answer. */
        long[] since(Sample before, String... place) {
            return new long[] {
                totals.calls(place) - before.totals.calls(place), totals.failed(place) - before.totals.failed(place)
            };
        }
    }

    StatusHistory(Meters meters, long nowNanos) {
        this.meters = meters;
        sample(nowNanos);
    }

    synchronized void sample(long nowNanos) {
        Sample now = new Sample(nowNanos, CallTotals.of(meters).withoutDurations());
        keep(minutes, now, MINUTES);
        boolean hourly = minutes.size() > MINUTES
                && hours.getLast().nanos() <= minutes.getFirst().nanos();
        if (hours.isEmpty() || hourly) {
            keep(hours, now, HOURS);
        }
    }

    private static void keep(Deque<Sample> samples, Sample sample, int most) {
        samples.add(sample);
        if (samples.size() > most + 1) {
            samples.remove();
        }
    }

    Sample now(long nowNanos) {
        return new Sample(nowNanos, CallTotals.of(meters));
    }

    /** Returns the calls a second since about a minute. */
    synchronized double rate(Sample now, String... place) {
        Sample before = minutes.getFirst();
        for (Sample sample : minutes) {
            before = seconds(sample, now) >= MIN_SECONDS ? sample : before;
        }
        return now.since(before, place)[0] / Math.max(MIN_SECONDS, seconds(before, now));
    }

    private static double seconds(Sample before, Sample now) {
        return (now.nanos() - before.nanos()) / 1e9;
    }

    /** Returns the share of calls without an answer within the last hour; 0 without calls. */
    synchronized double failed(Sample now, String... place) {
        long[] calls = now.since(minutes.getFirst(), place);
        return calls[0] == 0 ? 0 : (double) calls[1] / calls[0];
    }

    /** Returns the reorganisations of a network within the last day. */
    synchronized long reorgs(Sample now, String network) {
        return now.totals().reorgs(network) - hours.getFirst().totals().reorgs(network);
    }

    /** Returns the calls of each minute, the oldest first. */
    synchronized List<Long> byMinute(String... place) {
        List<Long> calls = new ArrayList<>();
        Sample before = null;
        for (Sample sample : minutes) {
            if (before != null) {
                calls.add(sample.since(before, place)[0]);
            }
            before = sample;
        }
        return calls;
    }
}
