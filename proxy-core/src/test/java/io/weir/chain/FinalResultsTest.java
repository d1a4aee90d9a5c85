package io.weir.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.Finality.Anchor;
import org.junit.jupiter.api.Test;

class FinalResultsTest {

    private final HeadTracker tracker = new HeadTracker(0, () -> 0);
    private final Finality height = Finalities.alone(tracker);

    @Test
    void noBlockIsFinalBeforeOneIsKnown() {
        assertThat(height.number()).isEqualTo(-1);
        assertThat(height.covers(0)).isFalse();
        assertThat(height.anchor()).isNull();
    }

    @Test
    void theFinalBlockItselfIsCoveredAndTheNextOneIsNot() {
        Finalities.raise(height, 36);

        assertThat(height.number()).isEqualTo(36);
        assertThat(height.covers(0)).isTrue();
        assertThat(height.covers(35)).isTrue();
        assertThat(height.covers(36)).isTrue();
        assertThat(height.covers(37)).isFalse();
    }

    @Test
    void theGenesisBlockAloneMayBeFinal() {
        Finalities.raise(height, 0);

        assertThat(height.covers(0)).isTrue();
        assertThat(height.covers(1)).isFalse();
    }

    @Test
    void itNeverSinks() {
        Finalities.raise(height, 36);
        Finalities.raise(height, 35);

        assertThat(height.number()).isEqualTo(36);
    }

    @Test
    void aNodeThatWasAskedBeforeABlockWasFinalKnewNothingOfThat() {
        HeadMoment first = tracker.now();
        Finalities.raise(height, 36);
        HeadMoment second = tracker.now();
        Finalities.raise(height, 50);
        HeadMoment third = tracker.now();

        assertThat(height.numberBefore(first)).isEqualTo(-1);
        assertThat(height.numberBefore(second)).isEqualTo(36);
        assertThat(height.numberBefore(third)).isEqualTo(50);
    }

    @Test
    void theFirstKnownFinalBlockCountsForEarlierRoundsToo() {
        HeadMoment first = tracker.now();
        assertThat(height.coveredBefore(first, 0)).isFalse();
        Finalities.raise(height, 36);
        assertThat(height.coveredBefore(first, 36)).isTrue();
        assertThat(height.coveredBefore(first, 37)).isFalse();

        Finalities.raise(height, 50);
        assertThat(height.coveredBefore(first, 36)).isFalse();
        assertThat(height.coveredBefore(tracker.now(), 50)).isTrue();
    }

    @Test
    void ofARoundThatBeganLongAgoNothingIsKnown() {
        Finalities.raise(height, 36);
        HeadMoment round = tracker.now();
        Finalities.raise(height, 50);
        Finalities.raise(height, 60);

        assertThat(height.numberBefore(round)).isEqualTo(-1);
    }

    @Test
    void aHeightThatIsKnownAlreadyIsNoNewerWhenItIsToldAgain() {
        Finalities.raise(height, 36);
        HeadMoment round = tracker.now();
        Finalities.raise(height, 36);

        assertThat(height.numberBefore(round)).isEqualTo(36);
    }

    @Test
    void onlyAFinalBlockBecomesTheAnchor() {
        Finalities.raise(height, 36);
        height.anchor(37, "0x37");
        assertThat(height.anchor()).isNull();

        height.anchor(36, "0x36");
        assertThat(height.anchor()).isEqualTo(new Anchor(36, "0x36"));
    }

    @Test
    void theHighestAnchorStays() {
        Finalities.raise(height, 36);
        height.anchor(30, "0x30");
        height.anchor(34, "0x34");
        height.anchor(32, "0x32");

        assertThat(height.anchor()).isEqualTo(new Anchor(34, "0x34"));
    }

    @Test
    void nothingIsFinalAndNothingAnchorsOnceTheChainWasReplaced() {
        Finalities.raise(height, 36);
        height.anchor(36, "0x36");
        height.forget();

        assertThat(height.covers(0)).isFalse();
        assertThat(height.anchor()).isNull();
        Finalities.raise(height, 10);
        height.anchor(10, "0x10");
        assertThat(height.anchor()).as("the first one of the new chain").isEqualTo(new Anchor(10, "0x10"));
    }
}
