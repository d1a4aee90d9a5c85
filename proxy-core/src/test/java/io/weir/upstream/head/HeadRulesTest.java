package io.weir.upstream.head;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.KnownHead;
import io.weir.upstream.head.HeadRules.Proof;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeadRulesTest {

    private static final long MAX_LAG = 8;
    private static final long NONE = -1;

    private long now = Long.MAX_VALUE - 1_000;
    private final HeadRules rules = rules(3);
    private KnownHead known = KnownHead.none();

    /** Returns the rules for nodes of which only the number matters. */
    private static HeadRules rules(int nodes) {
        return new HeadRules(Collections.nCopies(nodes, null), MAX_LAG);
    }

    private void accept(long head) {
        known = known.accepted(head, "a", now);
    }

    private boolean counts(long claim, long other) {
        return rules.counts(known, claim, other, now);
    }

    @Test
    void aHeadCountsIfAndOnlyIfItIsKnownOrNearAnotherNodesHead() {
        accept(100);
        for (long other = 0; other <= 130; other++) {
            for (long claim = 0; claim <= 150; claim++) {
                assertThat(counts(claim, other))
                        .as("%s beside %s", claim, other)
                        .isEqualTo(claim <= Math.max(100, other + MAX_LAG));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        // Seconds since the known head, the other node's head, the claim.
        "0, 100, 101, false",
        "0, 100, 102, true",
        "0, 101, 102, false",
        "12, 100, 102, false",
        "12, 100, 103, true",
        "120, 100, 112, false",
        "120, 100, 113, true",
    })
    void severalBlocksAtOnceAreEarlyUnlessTheTimeOrAnotherNodeExplainsThem(
            long seconds, long other, long claim, boolean early) {
        accept(100);
        pass(seconds);
        assertThat(rules.isEarly(claim, other, moment(12))).isEqualTo(early);
        assertThat(rules.isEarly(claim, other, moment(0)))
                .as("without a block time")
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"108, 500, false", "109, 500, true", "492, 500, false", "491, 500, true", "491, 100, false"})
    void aHeadFarFromAllOthersIsNotConfirmedByAHigherOneThatDoesNotCount(long claim, long other, boolean between) {
        assertThat(rules.isBetween(known, claim, other)).as("at the start").isFalse();
        accept(100);
        assertThat(rules.isBetween(known, claim, other)).isEqualTo(between);
    }

    @ParameterizedTest
    @ValueSource(longs = {109, 1_000_100, Long.MAX_VALUE})
    void timeMakesNoHeadCountBesideAnotherNode(long claim) {
        accept(100);
        pass(3_600);
        assertThat(counts(claim, 100)).isFalse();
    }

    @Test
    void theFirstHeadOfSeveralNodesWaitsForAnotherOne() {
        assertThat(counts(100, NONE)).isFalse();
        assertThat(counts(1_000_000, 100)).isFalse();
        assertThat(counts(100, 1_000_000)).isFalse();
        assertThat(counts(100, 103)).isTrue();
    }

    @Test
    void theFirstHeadOfASoleNodeCounts() {
        assertThat(rules(1).counts(known, 1_000_000, NONE, now)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 108, true",
        "0, 109, false",
        "12, 112, true",
        "12, 113, false",
        "3600, 1308, true",
        "3600, 1309, false",
    })
    void withoutAnotherNodeTheTimeDecides(long seconds, long claim, boolean counts) {
        accept(100);
        pass(seconds);
        assertThat(counts(claim, NONE)).isEqualTo(counts);
    }

    @Test
    void thePaceOfTheChainIsLearned() {
        accept(100);
        for (int i = 1; i <= 20; i++) {
            pass(1);
            accept(100 + 4 * i);
        }
        pass(10);
        assertThat(counts(180 + 150, NONE)).isTrue();
        assertThat(counts(180 + 200, NONE)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "1000000, -1, 0, BLOCK",
        "100, 9223372036854775807, 1, BLOCK",
        "164, 100, 1, LINKS",
        "164, 100, 2, LINKS",
        "165, 100, 1, TIMES",
        "165, 100, 2, NONE",
        "9223372036854775807, 0, 2, TIMES",
    })
    void theProofDependsOnTheDistanceAndTheOtherNodes(long claim, long highest, int others, Proof proof) {
        assertThat(HeadRules.proof(claim, highest, others)).isEqualTo(proof);
    }

    @ParameterizedTest
    @CsvSource({
        // A node that stood still for an hour beside one that is current.
        "300, 3600, 64, 768, true",
        "14400, 3600, 64, 16, true",
        // A made-up block has no time to be later.
        "1000, 12, 64, 768, false",
        "1000, -50, 64, 768, false",
        // The pace of a chain that has only its first block is unknown.
        "1000, 12000, 0, 0, true",
        "10000, 12000, 0, 0, false",
    })
    void blocksTooFarAheadAreJudgedByTheirTimes(
            long ahead, long seconds, long links, long linkSeconds, boolean plausible) {
        assertThat(rules.isPlausible(ahead, seconds, links, linkSeconds)).isEqualTo(plausible);
    }

    private HeadRules.Moment moment(long blockSeconds) {
        return new HeadRules.Moment(known, TimeUnit.SECONDS.toNanos(blockSeconds), now);
    }

    private void pass(long seconds) {
        now += TimeUnit.SECONDS.toNanos(seconds);
    }
}
