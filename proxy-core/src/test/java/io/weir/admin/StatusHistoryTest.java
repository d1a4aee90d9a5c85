package io.weir.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.codahale.metrics.MetricRegistry;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Rates, shares and lines over the minutes and hours since the start. */
class StatusHistoryTest {

    private final Meters meters = new Meters(new MetricRegistry());
    private final StatusHistory history = new StatusHistory(meters, 0);
    private long minute;

    private void call(String outcome, int count) {
        meters.counter(Meter.CALLS, "n", "eth_call", outcome).inc(count);
    }

    private void minutes(int count) {
        for (int i = 0; i < count; i++) {
            history.sample(TimeUnit.MINUTES.toNanos(++minute));
        }
    }

    private StatusHistory.Sample after(int seconds) {
        return history.now(TimeUnit.MINUTES.toNanos(minute) + TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void theRateIsThatSinceTheLastSampleWhichIsOldEnough() {
        call("result", 60);
        assertThat(history.rate(after(30), "n")).isEqualTo(2);
        minutes(1);
        call("result", 60);
        // A sample of a moment ago says little.
        assertThat(history.rate(after(4), "n")).isCloseTo(120 / 64.0, within(1e-9));
        assertThat(history.rate(after(30), "n")).isEqualTo(2);
        assertThat(history.rate(after(30), "other")).isZero();
    }

    @Test
    void callsThatHadNoAnswerCountForAnHour() {
        assertThat(history.failed(after(1), "n")).isZero();
        call("unavailable", 1);
        call("error", 1);
        call("result", 2);
        assertThat(history.failed(after(1), "n")).isEqualTo(0.25);
        minutes(StatusHistory.MINUTES);
        assertThat(history.failed(after(1), "n")).isEqualTo(0.25);
        minutes(1);
        assertThat(history.failed(after(1), "n")).isZero();
    }

    @Test
    void theLineHasTheCallsOfEachOfTheLastMinutes() {
        call("result", 5);
        minutes(1);
        call("error", 7);
        minutes(1);
        assertThat(history.byMinute("n")).containsExactly(5L, 7L);
        minutes(StatusHistory.MINUTES);
        assertThat(history.byMinute("n")).isEqualTo(Collections.nCopies(StatusHistory.MINUTES, 0L));
    }

    @Test
    void reorganisationsCountForADay() {
        meters.counter(Meter.REORGS, "n").inc(3);
        assertThat(history.reorgs(after(1), "n")).isEqualTo(3);
        minutes(23 * 60);
        assertThat(history.reorgs(after(1), "n")).isEqualTo(3);
        minutes(3 * 60);
        assertThat(history.reorgs(after(1), "n")).isZero();
        assertThat(List.of(history.reorgs(after(1), "other"))).containsExactly(0L);
    }
}
