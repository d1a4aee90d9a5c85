package io.weir.pipeline.gather;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GatherBudgetTest {

    private long nowNanos;
    private final GatherBudget budget = new GatherBudget(10, () -> nowNanos);

    private int taken() {
        int taken = 0;
        while (taken < 100_000 && budget.tryTake()) {
            taken++;
        }
        return taken;
    }

    private void call(int times) {
        for (int i = 0; i < times; i++) {
            budget.countCall();
        }
    }

    @Test
    void someFetchesAreAlwaysAllowed() {
        assertThat(taken()).isEqualTo(GatherBudget.ALWAYS);
    }

    @Test
    void fetchesAreAShareOfTheCalls() {
        call(1_000);
        assertThat(taken()).isEqualTo(100 + GatherBudget.ALWAYS);
        call(50);
        assertThat(taken()).isEqualTo(5);
    }

    @Test
    void whatWasTakenCountsUntilTheWindowAfterTheNext() {
        call(1_000);
        taken();
        nowNanos += GatherBudget.WINDOW_NANOS;
        assertThat(taken()).as("one window later").isZero();
        nowNanos += GatherBudget.WINDOW_NANOS;
        assertThat(taken()).as("two windows later").isEqualTo(GatherBudget.ALWAYS);
    }

    @Test
    void callsOfLongAgoAreForgotten() {
        call(1_000);
        nowNanos += 5 * GatherBudget.WINDOW_NANOS;
        assertThat(taken()).isEqualTo(GatherBudget.ALWAYS);
    }

    @Test
    void aShareOfNothingIsNothing() {
        GatherBudget none = new GatherBudget(0, () -> nowNanos);
        none.countCall();
        assertThat(none.tryTake()).isFalse();
    }
}
