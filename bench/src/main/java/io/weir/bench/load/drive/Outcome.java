package io.weir.bench.load.drive;

import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The result of a load. Immutable, but for its histograms, which nobody writes any more.
 *
 * @param requests answered rightly, as far as the driver looked
 * @param problems requests that were refused, failed, lost or answered wrongly
 * @param firstProblem in words; null where there was none
 * @param latencies in nanoseconds from the time at which each request was meant to leave, which is what a client feels that does
 *     not wait for its own earlier calls; null where the driver does not say
 * @param services likewise from the time at which it did leave
 */
public record Outcome(
        long requests,
        long problems,
        @Nullable String firstProblem,
        Duration time,
        @Nullable Histogram latencies,
        @Nullable Histogram services) {

    /** Requests answered in a second. */
    public double perSecond() {
        return time.isZero() ? 0 : requests * 1e9 / time.toNanos();
    }
}
