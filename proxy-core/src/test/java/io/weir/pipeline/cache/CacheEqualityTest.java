package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.pipeline.cache.ForkingChain.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** With the cache before it a node gives the same answers as without, through reorganisations of every depth. */
class CacheEqualityTest {

    private static final String ACCOUNT = "\"0x" + "0".repeat(40) + "\"";
    private static final int STEPS = 3_000;

    @Test
    void answersAreTheSameWithAndWithoutTheCache() {
        long hits = 0;
        for (int round = 0; round < 12; round++) {
            long seed = new Random().nextLong();
            hits += run(seed);
        }
        assertThat(hits).as("hits").isGreaterThan(1_000);
    }

    private static long run(long seed) {
        Random random = new Random(seed);
        ForkingChain chain = new ForkingChain(seed);
        CacheFixture weir = new CacheFixture(chain, chain::head);
        chain.mine(150);
        List<Block> known = new ArrayList<>(chain.blocks);
        long hits = 0;
        for (int step = 0; step < STEPS; step++) {
            weir.nowNanos += TimeUnit.MILLISECONDS.toNanos(random.nextInt(200));
            int what = random.nextInt(100);
            if (what < 4) {
                chain.mine(1 + random.nextInt(3));
                weir.changed();
            } else if (what < 6) {
                chain.reorganise(1 + random.nextInt(random.nextBoolean() ? 3 : 63), 1 + random.nextInt(2));
                weir.changed();
            } else {
                hits += ask(seed, step, random, chain, weir, known);
            }
            known.addAll(chain.blocks.subList(chain.blocks.size() - 3, chain.blocks.size()));
        }
        return hits;
    }

    private static int ask(
            long seed, int step, Random random, ForkingChain chain, CacheFixture weir, List<Block> known) {
        long number = Math.max(0, chain.head() - (random.nextInt(3) == 0 ? random.nextInt(120) : random.nextInt(4)));
        Block block = known.get(Math.max(0, known.size() - 1 - random.nextInt(random.nextBoolean() ? 400 : 8)));
        String hex = "\"0x" + Long.toHexString(number) + "\"";
        String hash = "\"" + block.hash() + "\"";
        String transaction = "\"" + block.transaction() + "\"";
        String[] call = switch (random.nextInt(9)) {
            case 0 -> new String[] {"eth_getBlockByNumber", "[" + hex + ",false]"};
            case 1 -> new String[] {"eth_getBlockByHash", "[" + hash + ",false]"};
            case 2 -> new String[] {"eth_getTransactionByHash", "[" + transaction + "]"};
            case 3 -> new String[] {"eth_getTransactionReceipt", "[" + transaction + "]"};
            case 4 -> new String[] {"eth_getTransactionByBlockNumberAndIndex", "[" + hex + ",\"0x0\"]"};
            case 5 -> new String[] {"eth_getBlockReceipts", "[" + (random.nextBoolean() ? hex : hash) + "]"};
            case 6 -> new String[] {"eth_getBalance", "[" + ACCOUNT + "," + hex + "]"};
            case 7 -> new String[] {"eth_getBalance", "[" + ACCOUNT + ",{\"blockHash\":" + hash + "}]"};
            default -> new String[] {"eth_getStorageAt", "[" + ACCOUNT + ",\"0x0\"," + hex + "]"};
        };
        String expected = chain.answer(call[0], call[1]);
        String answer = weir.ask(call[0], call[1]);
        assertThat(answer)
                .as("seed %s, step %s: %s%s", seed, step, call[0], call[1])
                .isEqualTo(expected);
        return "hit".equals(weir.status()) ? 1 : 0;
    }
}
