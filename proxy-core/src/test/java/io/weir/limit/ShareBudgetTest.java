package io.weir.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ShareBudgetTest {

    private long now = Long.MAX_VALUE - 5;

    private static int takeAll(ShareBudget budget) {
        int taken = 0;
        while (budget.take()) {
            taken++;
        }
        return taken;
    }

    @Test
    void eachCallAddsItsShare() {
        ShareBudget budget = new ShareBudget(20, 0, 0, () -> now);
        assertThat(budget.take()).isFalse();
        for (int i = 0; i < 4; i++) {
            budget.called();
        }
        assertThat(budget.take()).isFalse();
        budget.called();
        assertThat(takeAll(budget)).isOne();
    }

    @Test
    void whatIsNotUsedIsKeptUpToAMaximum() {
        ShareBudget budget = new ShareBudget(20, 0, 0, () -> now);
        for (int i = 0; i < 1_000_000; i++) {
            budget.called();
        }
        assertThat(takeAll(budget)).isEqualTo(1_000);
    }

    @Test
    void theReserveIsFilledAgainWithTime() {
        ShareBudget budget = new ShareBudget(0, 100, 600, () -> now);
        assertThat(takeAll(budget)).isEqualTo(100);
        now += TimeUnit.SECONDS.toNanos(3);
        assertThat(takeAll(budget)).isEqualTo(30);
        now += TimeUnit.HOURS.toNanos(1);
        assertThat(takeAll(budget)).isEqualTo(100);
    }

    @Test
    void theReserveIsNotFilledBeyondItselfByTimeThatPassedUnused() {
        ShareBudget budget = new ShareBudget(100, 10, 600, () -> now);
        for (int i = 0; i < 50; i++) {
            budget.called();
        }
        now += TimeUnit.HOURS.toNanos(1);
        assertThat(takeAll(budget)).isEqualTo(60);
        assertThat(budget.take()).isFalse();
    }
}
