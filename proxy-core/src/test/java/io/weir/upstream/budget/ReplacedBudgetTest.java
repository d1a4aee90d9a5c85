package io.weir.upstream.budget;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.weir.config.BudgetConfig;
import io.weir.config.MethodCosts;
import io.weir.metrics.Meters;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The budget of a node of a network and of the one that replaces it. */
class ReplacedBudgetTest {

    private final AtomicLong nanos = new AtomicLong();
    private final UnitLedger ledger = UnitLedger.inMemory(() -> 0);
    private final Meters meters = new Meters(new MetricRegistry());

    private NodeBudget budget(String upstream, long perSecond) {
        BudgetConfig config = new BudgetConfig(perSecond, 0, MethodCosts.CALLS, MethodCosts.CALLS, 1);
        return NodeBudget.of("main", upstream, config, ledger, meters, nanos::get);
    }

    private static int taken(NodeBudget budget) {
        int taken = 0;
        while (budget.take("eth_call") == null) {
            taken++;
        }
        return taken;
    }

    private static long used(NodeBudget budget) {
        return Objects.requireNonNull(budget.status()).usedInSecond();
    }

    @Test
    void aNodeOfTwoNetworksThatReplaceEachOtherGetsItsUnitsOfASecondOnce() {
        NodeBudget replaced = budget("paid", 10);
        replaced.take("eth_call");
        NodeBudget next = budget("paid", 10);
        assertThat(used(next)).isEqualTo(1);
        assertThat(taken(next) + taken(replaced)).isEqualTo(9);
        replaced.close();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
        assertThat(taken(next)).isEqualTo(10);
    }

    @Test
    void aChangedBoundCountsAtOnceAndForBoth() {
        NodeBudget replaced = budget("paid", 10);
        assertThat(taken(replaced)).isEqualTo(10);
        NodeBudget next = budget("paid", 12);
        assertThat(taken(next)).isEqualTo(2);
        budget("paid", 3);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
        assertThat(taken(replaced) + taken(next)).isEqualTo(3);
    }

    @Test
    void nodesOfOtherNamesHaveBudgetsOfTheirOwn() {
        assertThat(taken(budget("paid", 10))).isEqualTo(10);
        assertThat(taken(budget("other", 10))).isEqualTo(10);
    }
}
