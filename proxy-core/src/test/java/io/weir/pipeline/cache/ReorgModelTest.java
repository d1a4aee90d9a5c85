package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.Verify;
import io.weir.testing.Runs;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain.Memory;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reorganisations of random depths while clients ask everything, and answers come late. */
class ReorgModelTest {

    private static final int STEPS = 900;

    /** A seed with which a confirmation of the head's number alone once hid that the head was replaced. */
    private static final long FOUND = -5455162060427835377L;

    private static final SignedTransactions TRANSACTIONS = new SignedTransactions();

    @ParameterizedTest
    @EnumSource(Verify.class)
    void noAnswerIsOfADroppedBlockAndWhatIsFinalStays(Verify verify) {
        int hits = 0;
        int settled = 0;
        int deepest = 0;
        long[] seeds = seeds();
        for (long seed : seeds) {
            for (Memory memory : Memory.values()) {
                ReorgModel model = new ReorgModel(seed, verify, memory, TRANSACTIONS);
                model.run(STEPS);
                hits += model.hits();
                settled += model.settledAsked();
                deepest = Math.max(deepest, model.deepest());
            }
        }
        assertThat(hits).as("answers from memory").isGreaterThan(40 * seeds.length);
        assertThat(settled).as("final answers asked for again").isGreaterThan(1000 * seeds.length);
        assertThat(deepest).as("depth of the deepest reorganisation").isGreaterThan(40);
    }

    /** The first one is always the same. The system property {@code weir.reorg.seeds} sets their number. */
    private static long[] seeds() {
        int random = Runs.number("weir.reorg.seeds", 2, 20) - 1;
        return LongStream.concat(LongStream.of(FOUND), new Random().longs(random))
                .toArray();
    }
}
