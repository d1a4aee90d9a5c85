package io.weir.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.HeadTracker.RoundResult;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class HeadTrackerTest {

    private static final long MAX_AGE = 1_000_000_000;

    private long now = Long.MAX_VALUE - MAX_AGE / 2;
    private final HeadTracker tracker = new HeadTracker(MAX_AGE, () -> now);
    private final List<String> events = new ArrayList<>();

    @Test
    void aHeadIsFreshUntilItsAgeIsReached() {
        assertThat(tracker.fresh()).isFalse();
        assertThat(tracker.head()).isEqualTo(new HeadTracker.Head(-1, -1, false));
        assertThat(round(7)).isEqualTo(RoundResult.CONFIRMED);
        now += MAX_AGE - 1;
        assertThat(tracker.head()).isEqualTo(new HeadTracker.Head(7, MAX_AGE - 1, true));
        now++;
        assertThat(tracker.fresh()).isFalse();
        assertThat(tracker.number()).isEqualTo(7);
    }

    @Test
    void theAgeCountsFromTheRoundsBegin() {
        HeadMoment round = tracker.now();
        now += MAX_AGE;
        tracker.named(round, 7, true);
        assertThat(tracker.fresh()).isFalse();
    }

    @Test
    void upstreamsThatDifferMoveItUpOnly() {
        listen();
        assertThat(round(7, 12, 3)).isEqualTo(RoundResult.CONFIRMED);
        assertThat(round(12, 3)).isEqualTo(RoundResult.CONFIRMED);
        assertThat(round(3)).isEqualTo(RoundResult.DOUBTED);
        assertThat(round(13)).isEqualTo(RoundResult.CONFIRMED);
        assertThat(events).containsExactly("rose 7", "rose 12", "rose 13");
    }

    @Test
    void itGoesBackOnceTwoWholeRoundsAgree() {
        listen();
        round(10);
        assertThat(round(4, 5)).isEqualTo(RoundResult.DOUBTED);
        assertThat(tracker.number()).isEqualTo(10);
        assertThat(round(5, 6)).isEqualTo(RoundResult.WENT_BACK);
        assertThat(tracker.number()).isEqualTo(6);
        assertThat(tracker.fresh()).isTrue();
        assertThat(events).containsExactly("rose 10", "back 10 6");
    }

    @Test
    void anIncompleteRoundNeitherDoubtsNorConfirmsALowerHead() {
        round(10);
        assertThat(tracker.end(begun(4), 4, false)).isEqualTo(RoundResult.UNKNOWN);
        assertThat(round(4)).isEqualTo(RoundResult.DOUBTED);
        assertThat(tracker.end(begun(4), 4, false)).isEqualTo(RoundResult.UNKNOWN);
        assertThat(round()).isEqualTo(RoundResult.UNKNOWN);
        assertThat(tracker.number()).isEqualTo(10);
        assertThat(round(4)).isEqualTo(RoundResult.WENT_BACK);
    }

    @Test
    void aRoundThatBeganBeforeTheDoubtDoesNotConfirmIt() {
        round(10);
        HeadMoment early = begun(4);
        assertThat(round(4)).isEqualTo(RoundResult.DOUBTED);
        assertThat(tracker.end(early, 4, true)).isEqualTo(RoundResult.DOUBTED);
        assertThat(tracker.number()).isEqualTo(10);
    }

    @Test
    void aWordForTheHeadEndsTheDoubt() {
        round(10);
        round(4);
        tracker.named(tracker.now(), 10, true);
        assertThat(round(4)).isEqualTo(RoundResult.DOUBTED);
        assertThat(tracker.number()).isEqualTo(10);
    }

    @Test
    void anUpstreamThatDoesNotRaiseStillSpeaksAgainstALowerHead() {
        round(10);
        HeadMoment round = begun(4);
        tracker.named(round, 12, false);
        assertThat(tracker.end(round, 12, true)).isEqualTo(RoundResult.CONFIRMED);
        assertThat(tracker.number()).isEqualTo(10);
    }

    @Test
    void anAnswerThatNamesAHigherBlockRaisesItAndItWaitsForAConfirmation() {
        round(10);
        HeadMoment before = tracker.now();
        tracker.raise(10);
        assertThat(tracker.fresh()).isTrue();
        tracker.raise(11);
        assertThat(tracker.number()).isEqualTo(11);
        assertThat(tracker.fresh()).isFalse();
        assertThat(tracker.isDoubtful()).isFalse();
        assertThat(tracker.end(before, -1, true)).isEqualTo(RoundResult.UNKNOWN);
        round(11);
        assertThat(tracker.fresh()).isTrue();
    }

    @Test
    void aRoundThatBeganBeforeARiseSaysNothingAgainstIt() {
        round(10);
        HeadMoment before = begun(10);
        tracker.raise(11);
        assertThat(tracker.end(before, 10, true)).isEqualTo(RoundResult.UNKNOWN);
        assertThat(round(10)).isEqualTo(RoundResult.DOUBTED);
    }

    @Test
    void aRoundFromBeforeAWriteWasAnsweredDoesNotMakeItFresh() {
        round(10);
        tracker.outdate();
        HeadMoment before = tracker.now();
        assertThat(before.urgent()).isTrue();
        tracker.written();
        tracker.named(before, 10, true);
        assertThat(tracker.covers(before)).isFalse();
        assertThat(tracker.fresh()).isFalse();
    }

    @Test
    void inTheMomentAfterAWriteEachCallAsksAnew() {
        round(10);
        tracker.written();
        now += HeadTracker.SETTLE_NANOS - 1;
        round(10);
        assertThat(tracker.fresh()).isFalse();
        now++;
        assertThat(tracker.now().urgent()).isTrue();
        round(10);
        assertThat(tracker.fresh()).isTrue();
        assertThat(tracker.now().urgent()).isFalse();
    }

    @Test
    void withoutAnySignOfAChangeTheNextRoundIsSoonEnough() {
        round(10);
        now += MAX_AGE;
        assertThat(round(9)).isEqualTo(RoundResult.DOUBTED);
        assertThat(tracker.fresh()).isTrue();
        tracker.outdate();
        assertThat(round(9)).isEqualTo(RoundResult.WENT_BACK);
    }

    private void listen() {
        tracker.listen(new HeadListener() {
            @Override
            public void rose(long number) {
                events.add("rose " + number);
            }

            @Override
            public void wentBack(long from, long to) {
                events.add("back " + from + " " + to);
            }
        });
    }

    private RoundResult round(long... heads) {
        return tracker.end(begun(heads), LongStream.of(heads).max().orElse(-1), true);
    }

    private HeadMoment begun(long... heads) {
        HeadMoment round = tracker.now();
        for (long head : heads) {
            tracker.named(round, head, true);
        }
        return round;
    }

    @Test
    void anAcceptedTransactionEndsTheValidityOfRoundsForWritesAlone() {
        round(7);
        HeadMoment before = tracker.now();
        tracker.accepted();
        assertThat(tracker.fresh()).isTrue();
        assertThat(tracker.covers(before)).isTrue();
        assertThat(tracker.coversWrites(before)).isFalse();
        HeadMoment after = tracker.now();
        assertThat(tracker.coversWrites(after)).isTrue();
        tracker.outdate();
        assertThat(tracker.coversWrites(after)).isFalse();
    }

    @Test
    void aRoundThatNamesTheHeadConfirmsIt() {
        List<String> confirmed = new ArrayList<>();
        tracker.listen(new HeadListener() {
            @Override
            public void rose(long number) {
                confirmed.add("rose " + number);
            }

            @Override
            public void wentBack(long from, long to) {}

            @Override
            public void confirmed(long number, long beganNanos) {
                confirmed.add(number + " at " + (beganNanos == now));
            }
        });
        round(7);
        round(6);
        round(7);
        tracker.raise(9);
        assertThat(confirmed).containsExactly("rose 7", "7 at true", "7 at true", "rose 9");
    }
}
