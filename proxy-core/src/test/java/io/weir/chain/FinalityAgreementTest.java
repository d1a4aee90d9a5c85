package io.weir.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.FinalityAgreement.Agreed;
import io.weir.method.params.BlockTag;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FinalityAgreementTest {

    private static final long DEPTH = 64;
    private static final BlockTag TAG = BlockTag.FINALIZED;

    private final FinalityAgreement agreement = new FinalityAgreement(DEPTH);

    @Test
    void withoutAnyWordNothingIsKnown() {
        assertThat(agreement.agreed(TAG)).isEqualTo(new Agreed(-1, null, false));
    }

    @Test
    void theLowerOfTwoWordsCounts() {
        agreement.named(TAG, "a", 900, "0xa");
        assertThat(number()).isEqualTo(-1);
        agreement.named(TAG, "b", 800, "0xb");
        assertThat(agreement.agreed(TAG)).isEqualTo(new Agreed(800, null, false));
        agreement.named(TAG, "b", 900, "0xa");
        assertThat(agreement.agreed(TAG)).isEqualTo(new Agreed(900, "0xa", false));
    }

    @Test
    void twoHashesOfOneNumberAreNoAgreementAboutTheHash() {
        agreement.named(TAG, "a", 900, "0xa");
        agreement.named(TAG, "b", 900, "0xb");
        assertThat(agreement.agreed(TAG)).isEqualTo(new Agreed(900, null, false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void theLowerOfTwoWordsCountsWhicheverNodeNamesIt(String low) {
        for (String node : List.of("a", "b")) {
            agreement.named(TAG, node, node.equals(low) ? 800 : 900, "0xa");
        }
        assertThat(number()).isEqualTo(800);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b", "c"})
    void ofThreeNodesOneThatIsTooLowHoldsUpNothing(String low) {
        for (String node : List.of("a", "b", "c")) {
            agreement.named(TAG, node, node.equals(low) ? 0 : 900, "0xb");
        }
        assertThat(number()).isEqualTo(900);
    }

    @Test
    void theFirstBlockOfAChainMayBeAgreedOnToo() {
        assertThat(agreement.agreed(TAG).isKnown()).isFalse();
        agreement.named(TAG, "a", 0, "0x0");
        agreement.named(TAG, "b", 0, "0x0");
        assertThat(agreement.agreed(TAG).isKnown()).isTrue();
    }

    @Test
    void anAgreedBlockNeverGoesBack() {
        agreement.named(TAG, "a", 900, "0xa");
        agreement.named(TAG, "b", 900, "0xa");
        agreement.named(TAG, "a", 100, "0x1");
        agreement.named(TAG, "b", 100, "0x1");
        agreement.lacks(TAG, "a");
        agreement.lacks(TAG, "b");
        assertThat(agreement.agreed(TAG)).isEqualTo(new Agreed(900, "0xa", false));
    }

    @Test
    void theOnlyWordCountsUpToTheDepth() {
        agreement.named(TAG, "a", 1_000_000, "0xa");
        agreement.lacks(TAG, "b");
        agreement.alone(TAG, 1_000);
        assertThat(agreement.agreed(TAG)).isEqualTo(new Agreed(1_000 - DEPTH, null, false));
    }

    @Test
    void theOnlyWordIsNotRaisedToTheDepth() {
        agreement.named(TAG, "a", 900, "0xa");
        agreement.alone(TAG, 1_000);
        assertThat(number()).isEqualTo(900);
    }

    @Test
    void ofTwoWordsNoneCountsAlone() {
        agreement.named(TAG, "a", 900, "0xa");
        agreement.named(TAG, "b", 100, "0xb");
        agreement.alone(TAG, 1_000);
        assertThat(number()).isEqualTo(100);
    }

    @Test
    void theDepthReplacesATagThatNoNodeEverNamed() {
        agreement.lacks(TAG, "a");
        agreement.lacks(TAG, "a");
        assertThat(agreement.agreed(TAG)).as("one node's word").isEqualTo(new Agreed(-1, null, false));
        agreement.lacks(TAG, "b");
        assertThat(agreement.agreed(TAG).byDepth()).isTrue();
        agreement.used(TAG, 936);
        assertThat(agreement.agreed(TAG)).isEqualTo(new Agreed(936, null, true));
        agreement.named(TAG, "a", 100, "0x1");
        agreement.named(TAG, "b", 100, "0x1");
        assertThat(agreement.agreed(TAG)).isEqualTo(new Agreed(936, null, false));
    }

    @Test
    void theDepthReplacesATagThatTheOnlyNodeInReachLacks() {
        agreement.alone(TAG, 1_000);
        assertThat(agreement.agreed(TAG).isKnown()).isFalse();
        agreement.lacks(TAG, "a");
        agreement.alone(TAG, 1_000);
        assertThat(agreement.agreed(TAG)).isEqualTo(new Agreed(-1, null, true));
        assertThat(agreement.agreed(TAG).isKnown()).isTrue();
    }

    @Test
    void onceANodeNamedTheTagTheDepthNeverReplacesIt() {
        agreement.named(TAG, "a", 900, "0xa");
        agreement.lacks(TAG, "b");
        agreement.lacks(TAG, "c");
        assertThat(agreement.agreed(TAG)).isEqualTo(new Agreed(-1, null, false));
    }

    @Test
    void eachTagHasItsOwnWords() {
        agreement.named(BlockTag.SAFE, "a", 900, "0xa");
        agreement.named(TAG, "b", 900, "0xa");
        assertThat(number()).isEqualTo(-1);
    }

    @Test
    void blocksThatTheChainHasLostAreForgotten() {
        agreement.named(TAG, "a", 900, "0xa");
        agreement.named(TAG, "b", 900, "0xa");
        agreement.wentBack(500);
        assertThat(number()).isEqualTo(-1);
        agreement.named(TAG, "a", 400, "0x4");
        agreement.named(TAG, "b", 400, "0x4");
        assertThat(number()).isEqualTo(400);
    }

    @Test
    void aStaleWordDoesNotCountAfterTheHeadWentBack() {
        agreement.named(TAG, "a", 900, "0xa");
        agreement.named(TAG, "b", 900, "0xa");
        agreement.wentBack(500);
        assertThat(agreement.agreed(TAG)).isEqualTo(new Agreed(-1, null, false));
        agreement.named(TAG, "a", 400, "0x4");
        assertThat(number()).as("one node's word about the present chain").isEqualTo(-1);
    }

    @Test
    void blocksUpToTheHeadStillCountAfterItWentBack() {
        agreement.named(TAG, "a", 500, "0x5");
        agreement.named(TAG, "b", 400, "0x4");
        agreement.wentBack(500);
        assertThat(number()).isEqualTo(400);
        agreement.named(TAG, "b", 500, "0x5");
        assertThat(number()).isEqualTo(500);
        agreement.wentBack(500);
        assertThat(agreement.agreed(TAG)).isEqualTo(new Agreed(500, "0x5", false));
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
                agreement.named(TAG, "" + node, random.nextLong() >>> (1 + random.nextInt(63)), "0xlie");
            } else {
                long word = Math.max(honest.getOrDefault(node, 0L), truth - random.nextInt(5));
                honest.put(node, word);
                agreement.named(TAG, "" + node, word, "0x" + word);
            }
            assertThat(number()).as("seed %s, step %s", seed, step).isBetween(before, truth);
            before = number();
        }
        long highest = truth;
        for (int node = 0; node < nodes; node++) {
            if (node != liar) {
                agreement.named(TAG, "" + node, highest, "0x" + highest);
            }
        }
        assertThat(number()).as("seed " + seed).isEqualTo(nodes > 2 ? highest : number());
    }

    private long number() {
        return agreement.agreed(TAG).number();
    }
}
