package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.weir.config.NetworkConfig.GatherConfig;
import io.weir.metrics.Meters;
import org.junit.jupiter.api.Test;

class PrefetchBudgetTest {

    private long nowNanos;
    private long calls;
    private long hits;
    private final Meters meters = new Meters(new MetricRegistry());
    private final PrefetchBudget budget =
            new PrefetchBudget(new GatherConfig(true), meters, "testnet", () -> calls, () -> hits, () -> nowNanos);

    private int taken() {
        int taken = 0;
        while (taken < 100_000 && budget.tryTake()) {
            taken++;
        }
        return taken;
    }

    private void call(int times) {
        calls += times;
        hits += times;
    }

    @Test
    void someFetchesAreAlwaysAllowed() {
        assertThat(taken()).isEqualTo(PrefetchBudget.UNPAID);
    }

    @Test
    void untilFetchesPayAThirdOfTheShareIsAllowed() {
        calls += 1_000;
        assertThat(taken()).isEqualTo(33);
        hits += 7;
        assertThat(taken()).isEqualTo(7);
        hits += 500;
        assertThat(taken()).isEqualTo(60 + PrefetchBudget.BESIDE_PERCENT);
    }

    @Test
    void severalFetchesAreTakenTogether() {
        assertThat(budget.tryTake(PrefetchBudget.UNPAID + 1)).isFalse();
        assertThat(budget.tryTake(PrefetchBudget.UNPAID)).isTrue();
        assertThat(budget.tryTake()).isFalse();
    }

    @Test
    void fetchesAreAShareOfTheCalls() {
        call(1_000);
        assertThat(taken()).isEqualTo(100 + PrefetchBudget.BESIDE_PERCENT);
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
        assertThat(taken()).as("two windows later").isEqualTo(PrefetchBudget.UNPAID);
    }

    @Test
    void callsOfLongAgoAreForgotten() {
        call(1_000);
        nowNanos += 5 * PrefetchBudget.WINDOW_NANOS;
        assertThat(taken()).isEqualTo(PrefetchBudget.UNPAID);
    }

    @Test
    void fetchesInPlaceOfCallsThatAnswerNoneEnd() {
        assertThat(budget.pays()).isTrue();
        for (int i = 0; i < 3; i++) {
            budget.countInstead();
        }
        assertThat(budget.pays()).isFalse();
        hits++;
        assertThat(budget.pays()).isTrue();
        hits--;
        nowNanos += 2 * PrefetchBudget.WINDOW_NANOS;
        assertThat(budget.pays()).isTrue();
    }
}
