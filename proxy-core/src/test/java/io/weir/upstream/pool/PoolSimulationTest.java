package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs {@link PoolSimulation} with some seeds. {@code -Dweir.simulation.seeds=10000} runs more. */
class PoolSimulationTest {

    private static final int SEEDS = Integer.getInteger("weir.simulation.seeds", 50);

    @Test
    void noRepeatableCallFailsWhileANodeWouldAnswerAndExtraAttemptsStayInTheirBudgets() {
        long first = System.nanoTime();
        long calls = 0;
        long attempts = 0;
        long failures = 0;
        long overBudget = 0;
        List<Long> latencies = new ArrayList<>();
        for (long seed = first; seed < first + SEEDS; seed++) {
            PoolSimulation run = new PoolSimulation(seed).run();
            assertThat(run.latencies).as("replies of seed %d", seed).hasSize(run.calls);
            assertThat(run.wrongFailures).as("seed %d", seed).isEmpty();
            // A node learns once that it lacks the state; calls that are under way meanwhile learn it too.
            assertThat(run.attempts() - run.wasted())
                    .as("attempts of %d calls of seed %d", run.calls, seed)
                    .isLessThanOrEqualTo((int) (run.calls * 1.25) + 100 + 10 * 8 + 1);
            calls += run.calls;
            attempts += run.attempts();
            failures += run.failures;
            overBudget += run.overBudget;
            latencies.addAll(run.latencies);
        }
        latencies.sort(null);
        System.out.printf(
                "%d seeds from %d: %d calls, %.3f attempts a call, %d failures, %d of them for want of retries; %.1f ms at the 99th percentile%n",
                SEEDS,
                first,
                calls,
                (double) attempts / calls,
                failures,
                overBudget,
                latencies.get(latencies.size() * 99 / 100) / 1e6);
    }
}
