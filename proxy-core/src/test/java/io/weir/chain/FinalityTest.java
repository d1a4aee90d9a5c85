package io.weir.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.Finality.Agreed;
import io.weir.method.params.BlockTag;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FinalityTest {

    private static final long DEPTH = 64;
    private static final BlockTag TAG = BlockTag.FINALIZED;

    private long head = -1;
    private final HeadTracker tracker = new HeadTracker(0, () -> 0);
    private Finality finality = new Finality(tracker, 3, DEPTH, true, () -> 0);

    @Test
    void withoutAnyWordNothingIsKnown() {
        assertThat(finality.agreed(TAG)).isEqualTo(new Agreed(-1, false));
    }

    @Test
    void theLowerOfTwoWordsCounts() {
        named(TAG, "a", 900, "0xa");
        assertThat(number()).isEqualTo(-1);
        named(TAG, "b", 800, "0xb");
        assertThat(finality.agreed(TAG)).isEqualTo(new Agreed(800, false));
        named(TAG, "b", 900, "0xa");
        assertThat(finality.agreed(TAG)).isEqualTo(new Agreed(900, false));
    }

    @Test
    void twoHashesOfOneNumberAreNoAgreementAboutTheHash() {
        named(TAG, "a", 900, "0xa");
        named(TAG, "b", 900, "0xb");
        assertThat(finality.agreed(TAG)).isEqualTo(new Agreed(900, false));
        assertThat(finality.anchor()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void theLowerOfTwoWordsCountsWhicheverNodeNamesIt(String low) {
        for (String node : List.of("a", "b")) {
            named(TAG, node, node.equals(low) ? 800 : 900, "0xa");
        }
        assertThat(number()).isEqualTo(800);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b", "c"})
    void ofThreeNodesOneThatIsTooLowHoldsUpNothing(String low) {
        for (String node : List.of("a", "b", "c")) {
            named(TAG, node, node.equals(low) ? 0 : 900, "0xb");
        }
        assertThat(number()).isEqualTo(900);
    }

    @Test
    void theFirstBlockOfAChainMayBeAgreedOnToo() {
        assertThat(finality.agreed(TAG).isKnown()).isFalse();
        named(TAG, "a", 0, "0x0");
        named(TAG, "b", 0, "0x0");
        assertThat(finality.agreed(TAG).isKnown()).isTrue();
    }

    @Test
    void anAgreedBlockNeverGoesBack() {
        named(TAG, "a", 900, "0xa");
        named(TAG, "b", 900, "0xa");
        named(TAG, "a", 100, "0x1");
        named(TAG, "b", 100, "0x1");
        lacks("a");
        lacks("b");
        assertThat(finality.agreed(TAG)).isEqualTo(new Agreed(900, false));
    }

    @Test
    void theOnlyWordCountsUpToTheDepth() {
        named(TAG, "a", 1_000_000, "0xa");
        lacks("b");
        finality.conclude(TAG, 1_000, true, true);
        assertThat(finality.agreed(TAG)).isEqualTo(new Agreed(1_000 - DEPTH, false));
    }

    @Test
    void theOnlyWordIsNotRaisedToTheDepth() {
        named(TAG, "a", 900, "0xa");
        finality.conclude(TAG, 1_000, true, true);
        assertThat(number()).isEqualTo(900);
    }

    @Test
    void ofTwoWordsNoneCountsAlone() {
        named(TAG, "a", 900, "0xa");
        named(TAG, "b", 100, "0xb");
        finality.conclude(TAG, 1_000, true, true);
        assertThat(number()).isEqualTo(100);
    }

    @Test
    void theDepthReplacesATagThatNoNodeEverNamed() {
        lacks("a");
        lacks("a");
        assertThat(finality.agreed(TAG)).as("one node's word").isEqualTo(new Agreed(-1, false));
        lacks("b");
        assertThat(finality.agreed(TAG).byDepth()).isTrue();
        finality.used(TAG, 936);
        assertThat(finality.agreed(TAG)).isEqualTo(new Agreed(936, true));
        named(TAG, "a", 100, "0x1");
        named(TAG, "b", 100, "0x1");
        assertThat(finality.agreed(TAG)).isEqualTo(new Agreed(936, false));
    }

    @Test
    void theDepthReplacesATagThatTheOnlyNodeInReachLacks() {
        finality.conclude(TAG, 1_000, true, true);
        assertThat(finality.agreed(TAG).isKnown()).isFalse();
        lacks("a");
        finality.conclude(TAG, 1_000, true, true);
        assertThat(finality.agreed(TAG)).isEqualTo(new Agreed(-1, true));
        assertThat(finality.agreed(TAG).isKnown()).isTrue();
    }

    @Test
    void onceANodeNamedTheTagTheDepthNeverReplacesIt() {
        named(TAG, "a", 900, "0xa");
        lacks("b");
        lacks("c");
        assertThat(finality.agreed(TAG)).isEqualTo(new Agreed(-1, false));
    }

    @Test
    void theWordOfTheOnlyNodeCounts() {
        finality = new Finality(tracker, 1, DEPTH, true, () -> 0);
        named(TAG, "a", 900, "0xa");
        assertThat(finality.agreed(TAG)).isEqualTo(new Agreed(900, false));
        assertThat(finality.number()).isEqualTo(900);
        assertThat(finality.anchor()).isEqualTo(new Finality.Anchor(900, "0xa"));
    }

    @Test
    void theHashOfTwoCountsBesideAThirdOne() {
        named(TAG, "a", 900, "0xa");
        named(TAG, "b", 900, "0xb");
        named(TAG, "c", 900, "0xb");
        assertThat(finality.anchor()).isEqualTo(new Finality.Anchor(900, "0xb"));
    }

    @Test
    void aWordForTheHeadMakesNothingFinalAboveTheDepthThoughTheHeadRisesLater() {
        head = 900;
        named(TAG, "a", 900, "0xa");
        named(TAG, "b", 900, "0xa");
        head = 950;
        named(TAG, "a", 950, "0xb");
        assertThat(number()).as("for calls").isEqualTo(900);
        assertThat(finality.number()).as("for results").isEqualTo(900 - DEPTH);
        named(TAG, "b", 950, "0xb");
        assertThat(finality.number()).isEqualTo(950 - DEPTH);
    }

    /** The lower of two words is one for a head that has risen since, so it counts for nothing; the other shows a node's tag. */
    @Test
    void oneWordBelowTheHeadKeepsTheDepthFromCountingBesideAnOldOneForTheHead() {
        head = 1_036;
        named(TAG, "a", 1_036, "0xa");
        head = 1_212;
        named(TAG, "b", 1_142, "0xb");
        assertThat(finality.number()).as("1,148 is at the depth").isEqualTo(-1);
        named(TAG, "a", 1_212, "0xc");
        assertThat(finality.number()).isEqualTo(1_142);
    }

    @Test
    void resultsDoNotLearnWhatOldHeadsMakeOfWords() {
        finality.named(TAG, "a", 900, "0xa", 1_000);
        finality.named(TAG, "b", 900, "0xa", 1_000);
        finality.conclude(TAG, 1_000, false, false);
        assertThat(number()).as("for calls").isEqualTo(900);
        assertThat(finality.number()).as("for results").isEqualTo(-1);
        wentBack(900);
        finality.conclude(TAG, 900, false, true);
        assertThat(finality.number()).as("the words were for the head").isEqualTo(-1);
    }

    @Test
    void afterAReplacedChainNothingIsSettledUntilTheViewIsComparedAgain() {
        Finalities.raise(finality, 900);
        finality.settle(900);
        assertThat(finality.settled()).isEqualTo(900);
        finality.forget();
        assertThat(finality.settled()).isEqualTo(-1);
        finality.settle(900);
        assertThat(finality.settled()).as("nothing is final").isEqualTo(-1);
        Finalities.raise(finality, 50);
        finality.settle(900);
        assertThat(finality.settled()).isEqualTo(50);
    }

    @Test
    void onceANodeHadTheTagTheDepthMakesNothingFinal() {
        head = 1_000;
        named(TAG, "a", 100, "0x1");
        named(TAG, "b", 100, "0x1");
        named(TAG, "a", 1_000, "0xa");
        named(TAG, "b", 1_000, "0xa");
        assertThat(finality.number()).isEqualTo(100);
    }

    @ParameterizedTest
    @CsvSource({"63, -1", "64, 0", "65, 1"})
    void aChainThatIsShorterThanTheDepthHasNoFinalBlock(long top, long expected) {
        head = top;
        lacks("a");
        assertThat(finality.number()).isEqualTo(-1);
        lacks("b");
        assertThat(finality.number()).isEqualTo(expected);
    }

    @Test
    void whereAProofDecidesNoDepthMakesABlockFinal() {
        finality = new Finality(tracker, 1, DEPTH, false, () -> 0);
        head = 1_000;
        lacks("a");
        assertThat(finality.agreed(TAG).byDepth()).isTrue();
        assertThat(finality.number()).isEqualTo(-1);
    }

    @Test
    void wordsAboutAReplacedChainMakeNothingFinalAgain() {
        named(TAG, "a", 900, "0xa");
        named(TAG, "b", 900, "0xa");
        finality.forget();
        assertThat(finality.number()).isEqualTo(-1);
        assertThat(number()).as("calls get no lower block").isEqualTo(900);
        finality.conclude(TAG, 1_000, false, true);
        assertThat(finality.number()).isEqualTo(-1);
        named(TAG, "a", 50, "0x5");
        assertThat(finality.number()).isEqualTo(50);
    }

    @Test
    void aStatusCountsIfTwoNodesNameIt() {
        finality.namedByStatus("a", 70);
        finality.namedByStatus("a", 80);
        assertThat(finality.number()).isEqualTo(-1);
        finality.namedByStatus("b", 75);
        assertThat(finality.number()).isEqualTo(75);
    }

    @Test
    void eachTagHasItsOwnWords() {
        named(BlockTag.SAFE, "a", 900, "0xa");
        named(TAG, "b", 900, "0xa");
        assertThat(number()).isEqualTo(-1);
    }

    @Test
    void blocksThatTheChainHasLostAreForgotten() {
        named(TAG, "a", 900, "0xa");
        named(TAG, "b", 900, "0xa");
        wentBack(500);
        assertThat(number()).isEqualTo(-1);
        named(TAG, "a", 400, "0x4");
        named(TAG, "b", 400, "0x4");
        assertThat(number()).isEqualTo(400);
    }

    @Test
    void aStaleWordDoesNotCountAfterTheHeadWentBack() {
        named(TAG, "a", 900, "0xa");
        named(TAG, "b", 900, "0xa");
        wentBack(500);
        assertThat(finality.agreed(TAG)).isEqualTo(new Agreed(-1, false));
        named(TAG, "a", 400, "0x4");
        assertThat(number()).as("one node's word about the present chain").isEqualTo(-1);
    }

    @Test
    void blocksUpToTheHeadStillCountAfterItWentBack() {
        named(TAG, "a", 500, "0x5");
        named(TAG, "b", 400, "0x4");
        wentBack(500);
        assertThat(number()).isEqualTo(400);
        named(TAG, "b", 500, "0x5");
        assertThat(number()).isEqualTo(500);
        wentBack(500);
        assertThat(finality.agreed(TAG)).isEqualTo(new Agreed(500, false));
    }

    /** Nodes that follow the same finality with different delays, and one that says anything. */
    @RepeatedTest(50)
    void noWordOfOneNodeRaisesItAboveTheTruthAndTheOthersAlwaysReachIt() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int nodes = 2 + random.nextInt(3);
        int liar = random.nextInt(nodes);
        Map<Integer, Long> honest = new HashMap<>();
        long truth = 0;
        long before = -1;
        for (int step = 0; step < 500; step++) {
            truth += random.nextInt(3);
            int node = random.nextInt(nodes);
            if (node == liar) {
                named(TAG, "" + node, random.nextLong() >>> (1 + random.nextInt(63)), "0xlie");
            } else {
                long word = Math.max(honest.getOrDefault(node, 0L), truth - random.nextInt(5));
                honest.put(node, word);
                named(TAG, "" + node, word, "0x" + word);
            }
            assertThat(number()).as("seed %s, step %s", seed, step).isBetween(before, truth);
            before = number();
        }
        long highest = truth;
        for (int node = 0; node < nodes; node++) {
            if (node != liar) {
                named(TAG, "" + node, highest, "0x" + highest);
            }
        }
        assertThat(number()).as("seed " + seed).isEqualTo(nodes > 2 ? highest : number());
    }

    private void named(BlockTag tag, String node, long number, String hash) {
        finality.named(tag, node, number, hash, head);
        finality.conclude(tag, head, false, true);
    }

    private void lacks(String node) {
        finality.lacks(TAG, node);
        finality.conclude(TAG, head, false, true);
    }

    private void wentBack(long to) {
        tracker.raise(to + 1);
        for (int i = 0; i < 2; i++) {
            HeadMoment round = tracker.now();
            tracker.named(round, to, true);
            tracker.end(round, to, true);
        }
        assertThat(tracker.number()).isEqualTo(to);
    }

    private long number() {
        return finality.agreed(TAG).number();
    }
}
