package io.weir.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Sums of meters over methods. */
class CallTotalsTest {

    private final Meters meters = new Meters(new MetricRegistry());

    @Test
    void outcomesAreSummedOverMethods() {
        meters.counter(Meter.CALLS, "a", "eth_call", "result").inc(2);
        meters.counter(Meter.CALLS, "a", "eth_getLogs", "result").inc(3);
        meters.counter(Meter.CALLS, "a", "eth_getLogs", "error").inc();
        meters.counter(Meter.CALLS, "b", "eth_call", "result").inc(7);
        meters.counter(Meter.UPSTREAM_CALLS, "a", "node", "timeout").inc(5);
        CallTotals totals = CallTotals.of(meters);

        assertThat(totals.outcomes("a")).isEqualTo(Map.of("error", 1L, "result", 5L));
        assertThat(totals.outcomes("b")).isEqualTo(Map.of("result", 7L));
        assertThat(totals.outcomes("a", "node")).isEqualTo(Map.of("timeout", 5L));
        assertThat(totals.outcomes("b", "node")).isEmpty();
    }

    @Test
    void durationsOfMethodsAreOneDistribution() {
        for (int i = 0; i < 97; i++) {
            meters.timer(Meter.CALL_SECONDS, "a", "eth_call").update(2, TimeUnit.MILLISECONDS);
        }
        for (int i = 0; i < 3; i++) {
            meters.timer(Meter.CALL_SECONDS, "a", "eth_getLogs").update(3, TimeUnit.SECONDS);
        }
        assertThat(CallTotals.of(meters).latency("a"))
                .isEqualTo(new CallTotals.Latency(100, 9_194_000, 2.5, 2.5, 5_000));
        assertThat(CallTotals.of(meters).latency("b")).isEqualTo(new CallTotals.Latency(0, 0, 0, 0, 0));
    }
}
