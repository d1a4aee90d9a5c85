package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.Verify;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain.Memory;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reorganisations of random depths while clients ask everything, and answers come late. */
class ReorgModelTest {

    private static final int STEPS = 900;
    private static final SignedTransactions TRANSACTIONS = new SignedTransactions();

    @ParameterizedTest
    @EnumSource(Verify.class)
    void noAnswerIsOfADroppedBlockAndWhatIsFinalStays(Verify verify) {
        int hits = 0;
        int settled = 0;
        int deepest = 0;
        for (long seed : new long[] {1, -5455162060427835377L, new Random().nextLong()}) {
            for (Memory memory : Memory.values()) {
                ReorgModel model = new ReorgModel(seed, verify, memory, TRANSACTIONS);
                model.run(STEPS);
                hits += model.hits();
                settled += model.settledAsked();
                deepest = Math.max(deepest, model.deepest());
            }
        }
        assertThat(hits).as("answers from memory").isGreaterThan(200);
        assertThat(settled).as("final answers asked for again").isGreaterThan(200);
        assertThat(deepest).as("depth of the deepest reorganisation").isGreaterThan(50);
    }
}
