package io.weir.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random histories of sends: payments of one and of several calls, deployments, cancelled and raised transactions; approvals, refusals,
 * timeouts and callers that leave; crashes, lies, cut connections, nodes that lose their mempool and chains that begin anew. Each
 * settlement must leave no gap and no transaction whose end the wallet does not know. {@code -Dweir.wallet.model.runs} sets their
 * number, {@code -Dweir.wallet.model.seed} the first seed.
 */
class SendModelTest {
    private static final int STEPS = 30;

    @Test
    void anApprovalHasOneTransactionAndNoHistoryLeavesAGapAWrongHashOrALowSum() throws Exception {
        int runs = Runs.number("weir.wallet.model.runs", 40, 2_000);
        long first = Long.getLong("weir.wallet.model.seed", System.nanoTime());
        System.out.println("sends: " + runs + " runs from seed " + first);
        Path memory = Path.of("/dev/shm");
        Path scratch = Files.isWritable(memory)
                ? Files.createTempDirectory(memory, "weir-sends")
                : Files.createTempDirectory("weir-sends");
        try {
            IntStream.range(0, runs).parallel().forEach(run -> run(first + run, scratch.resolve(String.valueOf(run))));
        } finally {
            delete(scratch);
        }
    }

    /** In this history the node says that nonce 0 is used, and refuses nonce 1 once it has lost it: nonce 2 waits for two payments. */
    @ParameterizedTest
    @ValueSource(longs = 18249954222111L)
    void aSettlementFillsEachNonceThatALieOrARefusalLeftFree(long seed, @TempDir Path folder) throws Exception {
        play(seed, folder);
    }

    /** In this history a node lies, its chain begins again, and the wallet pays on the new chain before it can notice that. */
    @ParameterizedTest
    @ValueSource(longs = 56952181263774L)
    void nothingOfTheOldChainCountsAsAcceptedOnTheNewOne(long seed, @TempDir Path folder) throws Exception {
        play(seed, folder);
    }

    private static void run(long seed, Path folder) {
        try {
            Files.createDirectories(folder);
            play(seed, folder);
            delete(folder);
        } catch (Exception e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    private static void play(long seed, Path folder) throws Exception {
        SendModel model = new SendModel(seed, folder);
        try {
            for (int step = 0; step < STEPS; step++) {
                model.step();
            }
            model.settle();
            List<String> problems = model.problems();
            assertThat(problems).as("seed " + seed).isEmpty();
        } finally {
            model.close();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
