package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.FastThreadLocal;
import io.weir.testing.Runs;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs {@link PoolSimulation} with some seeds. {@code -Dweir.simulation.seeds=10000} runs more, {@code -Dweir.simulation.first=S}
 * begins with the seed of a failure.
 */
class PoolSimulationTest {

    private static final int SEEDS = Runs.number("weir.simulation.seeds", 50, 10_000);

    @Test
    void noRepeatableCallFailsWhileANodeWouldAnswerAndFurtherAttemptsStayInTheirBudgets() {
        long first = Long.getLong("weir.simulation.first", System.nanoTime());
        SimulationReport report = new SimulationReport();
        LongStream.range(first, first + SEEDS).parallel().forEach(seed -> report.add(run(seed)));
        System.out.println(report.text(first));
    }

    @ParameterizedTest
    @CsvSource({
        "21789318948002, the budget of retries is spent while most of 20 nodes hang",
        "21789318938636, the budget of retries is spent in a pool of two nodes",
        "21789318948271, other calls are tried again and again while both nodes fail",
        "21789318944996, the only node with the block is out of line",
        "21789318944976, the only node with the state is out of line",
    })
    void noRepeatableCallFailsThough(long seed, String cause) {
        assertThat(run(seed).calls).as(cause).isPositive();
    }

    private static PoolSimulation run(long seed) {
        PoolSimulation run = new PoolSimulation(seed).run();
        assertThat(run.wrongFailures).as("seed %d", seed).isEmpty();
        assertThat(run.ledger.violations).as("seed %d", seed).isEmpty();
        assertThat(run.replies).as("replies of seed %d", seed).isEqualTo(run.calls);
        // The queues of the run's loop would stay with this thread.
        FastThreadLocal.removeAll();
        return run;
    }
}
