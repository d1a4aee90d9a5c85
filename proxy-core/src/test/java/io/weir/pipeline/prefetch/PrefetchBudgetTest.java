package io.weir.pipeline.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.weir.config.NetworkConfig.GatherConfig;
import io.weir.metrics.Meters;
import org.junit.jupiter.api.Test;

class PrefetchBudgetTest {

    private long nowNanos;
    private long calls;
    private final PrefetchBudget budget = budget(10);

    private PrefetchBudget budget(int percent) {
        PrefetchMeters meters = new PrefetchMeters(new Meters(new MetricRegistry()), "testnet");
        return new PrefetchBudget(new GatherConfig(true, percent), meters, () -> calls, () -> nowNanos);
    }

    private int taken() {
        int taken = 0;
        while (taken < 100_000 && budget.tryTake()) {
            taken++;
        }
        return taken;
    }

    private void call(int times) {
        calls += times;
    }

    @Test
    void someFetchesAreAlwaysAllowed() {
        assertThat(taken()).isEqualTo(PrefetchBudget.ALWAYS);
    }

    @Test
    void fetchesAreAShareOfTheCalls() {
        call(1_000);
        assertThat(taken()).isEqualTo(100 + PrefetchBudget.ALWAYS);
        call(50);
        assertThat(taken()).isEqualTo(5);
    }

    @Test
    void whatWasTakenCountsUntilTheWindowAfterTheNext() {
        call(1_000);
        taken();
        nowNanos += PrefetchBudget.WINDOW_NANOS;
        assertThat(taken()).as("one window later").isZero();
        nowNanos += PrefetchBudget.WINDOW_NANOS;
        assertThat(taken()).as("two windows later").isEqualTo(PrefetchBudget.ALWAYS);
    }

    @Test
    void callsOfLongAgoAreForgotten() {
        call(1_000);
        nowNanos += 5 * PrefetchBudget.WINDOW_NANOS;
        assertThat(taken()).isEqualTo(PrefetchBudget.ALWAYS);
    }

    @Test
    void aShareOfNothingIsNothing() {
        PrefetchBudget none = budget(0);
        call(1);
        assertThat(none.tryTake()).isFalse();
    }
}
