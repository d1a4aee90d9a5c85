package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.FastThreadLocal;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Runs {@link PoolSimulation} with some seeds. {@code -Dweir.simulation.seeds=10000} runs more, {@code -Dweir.simulation.first=S}
 * begins with the seed of a failure.
 */
class PoolSimulationTest {

    private static final int SEEDS = Integer.getInteger("weir.simulation.seeds", 50);

    @Test
    void noRepeatableCallFailsWhileANodeWouldAnswerAndFurtherAttemptsStayInTheirBudgets() {
        long first = Long.getLong("weir.simulation.first", System.nanoTime());
        SimulationReport report = new SimulationReport();
        LongStream.range(first, first + SEEDS).parallel().forEach(seed -> {
            PoolSimulation run = new PoolSimulation(seed).run();
            assertThat(run.wrongFailures).as("seed %d", seed).isEmpty();
            assertThat(run.ledger.violations).as("seed %d", seed).isEmpty();
            assertThat(run.replies).as("replies of seed %d", seed).isEqualTo(run.calls);
            report.add(run);
            // The queues of the run's loop would stay with this thread.
            FastThreadLocal.removeAll();
        });
        System.out.println(report.text(first));
    }
}
