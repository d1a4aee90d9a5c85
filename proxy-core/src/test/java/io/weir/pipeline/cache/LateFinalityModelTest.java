package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.access.TestCaller;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random growth, pauses and reorganisations of a chain with late finality: every answer is the node's. */
class LateFinalityModelTest {

    private static final String ACCOUNT = "\"0x" + "11".repeat(20) + '"';

    private final ForkingChain chain = new ForkingChain(5);
    private CacheFixture weir;
    private Random random;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void everyAnswerIsTheNodesAndMostAreHits(long seed) {
        random = new Random(seed);
        chain.finalDepth = 800;
        chain.mine(2_000);
        weir = new CacheFixture(chain, chain::head).amongOthers();
        int hits = 0;
        for (int i = 0; i < 150; i++) {
            change();
            weir.nowNanos += TimeUnit.SECONDS.toNanos(1 + random.nextInt(12));
            weir.changed();
            for (int j = 0; j < 15; j++) {
                hits += ask("seed " + seed + ", step " + i) ? 1 : 0;
            }
            weir.awaitVerified();
        }
        weir.memory.close();
        assertThat(hits).isGreaterThan(150);
    }

    private void change() {
        int kind = random.nextInt(10);
        if (kind < 5) {
            chain.mine(1 + random.nextInt(3));
        } else if (kind < 7) {
            chain.mine(random.nextInt(300));
        } else {
            int most = random.nextBoolean() ? 3 : 300;
            chain.reorganise(1 + random.nextInt(most), random.nextInt(random.nextBoolean() ? 2 : 200));
        }
    }

    private boolean ask(String step) {
        int depth = random.nextInt(4) == 0 ? 1_000 : 40;
        long number = chain.head() - random.nextInt(depth);
        String quantity = "\"0x" + Long.toHexString(number) + '"';
        String hash = '"' + chain.block(number).hash() + '"';
        String transaction = '"' + chain.block(number).transaction() + '"';
        return switch (random.nextInt(6)) {
            case 0 -> isHit(step, "eth_getBlockByNumber", "[" + quantity + ",true]");
            case 1 -> isHit(step, "eth_getBlockByNumber", "[" + quantity + ",false]");
            case 2 -> isHit(step, "eth_getBlockReceipts", "[" + quantity + "]");
            case 3 -> isHit(step, "eth_getTransactionReceipt", "[" + transaction + "]");
            case 4 -> isHit(step, "eth_getBalance", "[" + ACCOUNT + "," + quantity + "]");
            default -> isHit(step, "eth_getBlockByHash", "[" + hash + ",true]");
        };
    }

    private boolean isHit(String step, String method, String params) {
        assertThat(weir.ask(method, params, TestCaller.CLIENT))
                .as(() -> step + ": " + method + params + ", " + weir.status())
                .isEqualTo(chain.answer(method, params));
        return weir.status().startsWith("hit");
    }
}
