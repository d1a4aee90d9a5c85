package io.weir.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.method.params.BlockTag;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class FinalityDisputesTest {

    private static final long PATIENCE = 30;
    private static final long HEAD = 1_000;

    private final HeadTracker tracker = new HeadTracker(0, () -> 0);
    private long now;
    private final Finality finality = new Finality(tracker, 3, 64, true, () -> now);

    @Test
    void theHighestOfThreeIsDisputedOnceTheOthersHadTheTimeToReachIt() {
        assertThat(round(Map.of("a", 990L, "b", 900L, "c", 900L))).isEmpty();
        now += PATIENCE;
        assertThat(round(Map.of("a", 991L, "b", 901L, "c", 901L))).isEmpty();
        now++;
        assertThat(round(Map.of("a", 992L, "b", 902L, "c", 901L)))
                .containsExactly(
                        Map.entry("a", "names block 992 as finalized, while the highest of the other nodes is 902"));
        assertThat(round(Map.of("a", 902L))).as("it takes its word back").isEmpty();
    }

    @Test
    void aNodeThatIsAlwaysAheadOfLastingLiesStaysDisputed() {
        round(Map.of("a", 990L, "b", 900L, "c", 900L));
        now += 2 * PATIENCE;
        assertThat(round(Map.of("a", 995L, "b", 901L, "c", 901L))).containsOnlyKeys("a");
        now += PATIENCE;
        assertThat(round(Map.of("a", 998L, "b", 990L, "c", 990L))).containsOnlyKeys("a");
        now++;
        assertThat(round(Map.of("a", 998L, "b", 998L, "c", 990L))).isEmpty();
    }

    @Test
    void aBlockAboveTheHeadIsNamedAsSuchAndCastsNoDoubtOnTheOtherNode() {
        round(Map.of("a", 1_000_000L, "b", 900L));
        now += 2 * PATIENCE;
        assertThat(round(Map.of("a", 1_000_000L, "b", 901L)))
                .containsExactly(Map.entry("a", "names block 1000000 as finalized, which is above the head 1000"));
    }

    @Test
    void theLowestOfThreeIsDisputed() {
        round(Map.of("a", 0L, "b", 900L, "c", 901L));
        now += 2 * PATIENCE;
        assertThat(round(Map.of("a", 0L, "b", 910L, "c", 910L)))
                .containsExactly(Map.entry("a", "names block 0 as finalized, while other nodes name 910"));
        assertThat(round(Map.of("a", 910L))).isEmpty();
    }

    @Test
    void ofTwoNodesThatDifferBothAreDisputed() {
        round(Map.of("a", 0L, "b", 900L));
        now += 2 * PATIENCE;
        assertThat(round(Map.of("a", 0L, "b", 910L))).containsOnlyKeys("a", "b");
    }

    @Test
    void aNodeThatNamesNoBlockIsDisputedWhereMostNameOne() {
        round(Map.of("a", -1L, "b", 900L));
        now += 2 * PATIENCE;
        assertThat(round(Map.of("a", -1L, "b", 910L)))
                .containsExactly(Map.entry("a", "names no block as finalized, while other nodes name 910"));
        assertThat(round(Map.of("a", 910L))).isEmpty();
    }

    @Test
    void theOnlyOneOfThreeThatNamesABlockIsDisputed() {
        round(Map.of("a", 900L, "b", -1L, "c", -1L));
        now += 2 * PATIENCE;
        assertThat(round(Map.of("a", 900L, "b", -1L, "c", -1L)))
                .containsExactly(Map.entry("a", "names block 900 as finalized, while other nodes name none"));
    }

    @Test
    void aNodeThatDoesNotAnswerAnyMoreCastsNoDoubtOnTheOthers() {
        round(Map.of("a", 900L, "b", 900L));
        now += 10 * PATIENCE;
        assertThat(round(Map.of("a", 910L))).isEmpty();
        now += 10 * PATIENCE;
        assertThat(round(Map.of("a", 950L))).isEmpty();
    }

    @Test
    void nodesThatAreAskedRarelyAndFollowEachOtherAreNotDisputed() {
        for (int i = 0; i < 10; i++) {
            assertThat(round(Map.of("a", 900L + i, "b", 899L + i))).isEmpty();
            now += 10 * PATIENCE;
        }
    }

    /** Honest nodes that reach each block within the patience, beside one that says anything. */
    @RepeatedTest(50)
    void noHonestNodeOfThreeIsDisputedForALieOrALag() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        long start = random.nextInt(100);
        for (int step = 0; step < 300; step++) {
            now += random.nextInt(10);
            Map<String, Long> words = new HashMap<>();
            words.put("liar", random.nextInt(4) == 0 ? -1 : random.nextLong(3 * HEAD));
            // One of them is up to two thirds of the patience behind.
            words.put("b", start + now / 3);
            words.put("c", start + Math.max(0, now - random.nextInt(20)) / 3);
            words.remove(new String[] {"liar", "b", "c"}[step % 3]);
            assertThat(round(words).keySet()).as("seed %s, step %s", seed, step).isSubsetOf("liar");
        }
    }

    private Map<String, String> round(Map<String, Long> words) {
        tracker.raise(HEAD);
        words.forEach((id, number) -> {
            if (number < 0) {
                finality.lacks(BlockTag.FINALIZED, id);
            } else {
                finality.named(BlockTag.FINALIZED, id, number, "", HEAD);
            }
        });
        return finality.compare(BlockTag.FINALIZED, PATIENCE);
    }
}
