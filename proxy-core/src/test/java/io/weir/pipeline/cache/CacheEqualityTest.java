package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.Verify;
import io.weir.testing.chain.AskedCall;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.ChainStage;
import io.weir.testing.chain.RandomQuestions;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With the cache before it a node gives the same answers as without, whatever is asked in whatever order. */
class CacheEqualityTest {

    private static final int STEPS = 1_500;
    private static final SignedTransactions TRANSACTIONS = new SignedTransactions();

    /** What is never kept: estimates, and raw transactions that a node may forget. */
    private static final Set<String> NEVER_KEPT = Set.of("eth_estimateGas", "eth_getRawTransactionByHash");

    @ParameterizedTest
    @EnumSource(Verify.class)
    void answersAreTheSameWithAndWithoutTheCache(Verify verify) {
        Set<String> hit = new TreeSet<>();
        for (Memory memory : Memory.values()) {
            for (long seed : new long[] {11, new Random().nextLong()}) {
                run(seed, verify, memory, hit);
            }
        }
        Set<String> kept = new TreeSet<>(ChainAnswers.methods());
        kept.removeAll(NEVER_KEPT);
        if (verify == Verify.OFF) {
            assertThat(hit).as("methods answered from memory").isEqualTo(kept);
        } else {
            assertThat(hit)
                    .as("methods answered from memory")
                    .isSubsetOf(kept)
                    .contains("eth_getBlockByHash", "eth_getBlockByNumber", "eth_getTransactionByHash", "eth_call");
        }
    }

    private static void run(long seed, Verify verify, Memory memory, Set<String> hit) {
        Random random = new Random(seed);
        TestChain chain = new TestChain(seed, TRANSACTIONS, memory);
        CacheFixture weir = new CacheFixture(new ChainStage(chain, random), chain::head, verify, 1);
        RandomQuestions questions = new RandomQuestions(random, chain);
        chain.mine(150);
        chain.finalize(100);
        for (int step = 0; step < STEPS; step++) {
            weir.nowNanos += TimeUnit.MILLISECONDS.toNanos(random.nextInt(200));
            if (random.nextInt(50) == 0) {
                int most = (int) (chain.head() - chain.state().finalized());
                chain.fork(random.nextInt(random.nextBoolean() ? 3 : most), 1 + random.nextInt(2));
                chain.finalize(random.nextInt(4) == 0 ? chain.head() - 50 : 0);
                weir.changed();
            }
            AskedCall call = questions.next();
            CacheFixture.Asking asking = weir.start(call.method(), call.params(), 0);
            weir.awaitVerified();
            ChainAnswer answer = asking.answer();
            assertThat(call.isAnsweredBy(answer, List.of(chain.state()), 0))
                    .as("seed %s, %s, %s, step %s: %s was answered %s", seed, verify, memory, step, call, answer)
                    .isTrue();
            if (String.valueOf(asking.status()).startsWith("hit")) {
                hit.add(call.method());
            }
        }
    }
}
