package io.weir.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.FinalizedHeight.Anchor;
import org.junit.jupiter.api.Test;

class FinalizedHeightTest {

    private final HeadTracker tracker = new HeadTracker(0, () -> 0);
    private final FinalizedHeight height = new FinalizedHeight();

    @Test
    void noBlockIsFinalBeforeOneIsKnown() {
        assertThat(height.number()).isEqualTo(-1);
        assertThat(height.covers(0)).isFalse();
        assertThat(height.anchor()).isNull();
    }

    @Test
    void theFinalBlockItselfIsCoveredAndTheNextOneIsNot() {
        height.raise(36, tracker.now());

        assertThat(height.number()).isEqualTo(36);
        assertThat(height.covers(0)).isTrue();
        assertThat(height.covers(35)).isTrue();
        assertThat(height.covers(36)).isTrue();
        assertThat(height.covers(37)).isFalse();
    }

    @Test
    void theGenesisBlockAloneMayBeFinal() {
        height.raise(0, tracker.now());

        assertThat(height.covers(0)).isTrue();
        assertThat(height.covers(1)).isFalse();
    }

    @Test
    void itNeverSinks() {
        height.raise(36, tracker.now());
        height.raise(35, tracker.now());

        assertThat(height.number()).isEqualTo(36);
    }

    @Test
    void aNodeThatWasAskedBeforeABlockWasFinalKnewNothingOfThat() {
        HeadMoment first = tracker.now();
        height.raise(36, tracker.now());
        HeadMoment second = tracker.now();
        height.raise(50, tracker.now());
        HeadMoment third = tracker.now();

        assertThat(height.numberBefore(first)).isEqualTo(-1);
        assertThat(height.numberBefore(second)).isEqualTo(36);
        assertThat(height.numberBefore(third)).isEqualTo(50);
    }

    @Test
    void theFirstKnownFinalBlockCountsForEarlierRoundsToo() {
        HeadMoment first = tracker.now();
        assertThat(height.coveredBefore(first, 0)).isFalse();
        height.raise(36, tracker.now());
        assertThat(height.coveredBefore(first, 36)).isTrue();
        assertThat(height.coveredBefore(first, 37)).isFalse();

        height.raise(50, tracker.now());
        assertThat(height.coveredBefore(first, 36)).isFalse();
        assertThat(height.coveredBefore(tracker.now(), 50)).isTrue();
    }

    @Test
    void ofARoundThatBeganLongAgoNothingIsKnown() {
        height.raise(36, tracker.now());
        HeadMoment round = tracker.now();
        height.raise(50, tracker.now());
        height.raise(60, tracker.now());

        assertThat(height.numberBefore(round)).isEqualTo(-1);
    }

    @Test
    void aHeightThatIsKnownAlreadyIsNoNewerWhenItIsToldAgain() {
        height.raise(36, tracker.now());
        HeadMoment round = tracker.now();
        height.raise(36, tracker.now());

        assertThat(height.numberBefore(round)).isEqualTo(36);
    }

    @Test
    void onlyAFinalBlockBecomesTheAnchor() {
        height.raise(36, tracker.now());
        height.anchor(37, "0x37");
        assertThat(height.anchor()).isNull();

        height.anchor(36, "0x36");
        assertThat(height.anchor()).isEqualTo(new Anchor(36, "0x36"));
    }

    @Test
    void theHighestAnchorStays() {
        height.raise(36, tracker.now());
        height.anchor(30, "0x30");
        height.anchor(34, "0x34");
        height.anchor(32, "0x32");

        assertThat(height.anchor()).isEqualTo(new Anchor(34, "0x34"));
    }

    @Test
    void nothingIsFinalAndNothingAnchorsOnceTheChainWasReplaced() {
        height.raise(36, tracker.now());
        height.anchor(36, "0x36");
        height.forget();

        assertThat(height.covers(0)).isFalse();
        assertThat(height.anchor()).isNull();
        height.raise(10, tracker.now());
        height.anchor(10, "0x10");
        assertThat(height.anchor()).as("the first one of the new chain").isEqualTo(new Anchor(10, "0x10"));
    }
}
