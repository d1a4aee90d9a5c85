package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.app.LogFill.Answer;
import io.weir.app.LogFill.Outcome;
import io.weir.app.LogFill.Range;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The walk over blocks: which pieces it asks for, when, how often, and what it tells. */
class LogFillTest {

    private static final Answer COMPLETE = new Answer(Outcome.COMPLETE, "", 0, 0);
    private static final Answer TOO_LARGE = new Answer(Outcome.TOO_LARGE, "larger than allowed", 0, 0);

    private final List<String> asked = new ArrayList<>();
    private final List<Long> pausedSeconds = new ArrayList<>();
    private final StringWriter out = new StringWriter();
    private long nanos = -5;

    private boolean run(long from, long to, int rate, Function<Range, Answer> proxy) {
        LogFill fill = new LogFill(
                piece -> {
                    asked.add(piece.toString());
                    return proxy.apply(piece);
                },
                rate,
                () -> nanos,
                wait -> {
                    nanos += wait;
                    pausedSeconds.add(TimeUnit.NANOSECONDS.toSeconds(wait));
                },
                new PrintWriter(out));
        return fill.run(Range.of(from, to), 3, 12);
    }

    private static Answer later(long waitSeconds) {
        return new Answer(Outcome.LATER, "overloaded", 0, TimeUnit.SECONDS.toNanos(waitSeconds));
    }

    private static Answer failed(String words) {
        return new Answer(Outcome.FAILED, words, 0, 0);
    }

    private List<String> lines() {
        return out.toString().lines().toList();
    }

    @Test
    void piecesAreAlignedRunsOf64BlocksThatAreCutToTheRange() {
        assertThat(run(100, 300, 20, piece -> COMPLETE)).isTrue();
        assertThat(asked).containsExactly("100 to 127", "128 to 191", "192 to 255", "256 to 300");
        assertThat(lines()).contains("complete: 100 to 300").noneMatch(line -> line.contains("not "));
    }

    @Test
    void aSingleBlockIsAPiece() {
        assertThat(run(0, 0, 20, piece -> COMPLETE)).isTrue();
        assertThat(asked).containsExactly("0");
    }

    @Test
    void aPieceThatIsTooLargeIsHalvedDownToSingleBlocks() {
        assertThat(run(64, 127, 20, piece -> piece.length() > 16 ? TOO_LARGE : COMPLETE))
                .isTrue();
        assertThat(asked)
                .containsExactly(
                        "64 to 127", "64 to 95", "64 to 79", "80 to 95", "96 to 127", "96 to 111", "112 to 127");

        asked.clear();
        assertThat(run(5, 7, 20, piece -> piece.from() == 5 ? TOO_LARGE : COMPLETE))
                .isFalse();
        assertThat(asked).containsExactly("5 to 7", "5", "6 to 7");
        assertThat(lines()).contains("not complete: 5: larger than allowed", "complete: 6 to 7");
    }

    @Test
    void theEstimateIsGivenBeforeTheFirstQuestion() {
        run(1_000_000, 1_003_199, 20, piece -> {
            assertThat(lines())
                    .startsWith(
                            "blocks 1,000,000 to 1,003,199: 3,200",
                            "at most 9,600 calls to nodes, 38,400 units; about 8 min at 20 calls a second");
            return COMPLETE;
        });
        assertThat(asked).hasSize(50);
    }

    @Test
    void theTimeIsGivenInAUnitOfItsSize() {
        run(0, 19, 20, piece -> COMPLETE);
        run(0, 999_999, 20, piece -> new Answer(Outcome.REFUSED, "no", 0, 0));
        assertThat(lines())
                .contains(
                        "at most 60 calls to nodes, 240 units; about 3 s at 20 calls a second",
                        "at most 3,000,000 calls to nodes, 12,000,000 units; about 41.7 h at 20 calls a second");
    }

    @Test
    void nextPieceWaitsUntilTheCallsToNodesFitTheRate() {
        run(0, 191, 10, piece -> {
            nanos += TimeUnit.SECONDS.toNanos(2);
            return new Answer(Outcome.COMPLETE, "", 190, 0);
        });
        assertThat(pausedSeconds).containsExactly(17L, 17L);
    }

    @Test
    void blocksThatTookNoCallArePassedWithoutAPause() {
        run(0, 6399, 1, piece -> COMPLETE);
        assertThat(pausedSeconds).isEmpty();
    }

    @Test
    void timeThatSlowAnswersTookIsNotMadeUpFor() {
        Deque<Long> durations = new ArrayDeque<>(List.of(100L, 0L, 0L));
        run(0, 191, 10, piece -> {
            nanos += TimeUnit.SECONDS.toNanos(durations.remove());
            return new Answer(Outcome.COMPLETE, "", 100, 0);
        });
        assertThat(pausedSeconds).containsExactly(10L);
    }

    @Test
    void aBusyProxyIsAskedThreeTimesMoreWithGrowingPauses() {
        assertThat(run(0, 63, 20, piece -> later(0))).isFalse();
        assertThat(asked).hasSize(4);
        assertThat(pausedSeconds).containsExactly(2L, 8L, 32L);
        assertThat(lines()).endsWith("not complete: 0 to 63: overloaded");
    }

    @Test
    void theWaitThatTheProxyAsksForIsHeldIfItIsLonger() {
        Deque<Answer> answers = new ArrayDeque<>(List.of(later(7), later(1), COMPLETE));
        assertThat(run(0, 63, 20, piece -> answers.remove())).isTrue();
        assertThat(pausedSeconds).containsExactly(7L, 8L);
    }

    @Test
    void nobodyWaitsForTheNextDay() {
        assertThat(run(0, 63, 20, piece -> later(3600))).isFalse();
        assertThat(asked).hasSize(1);
        assertThat(pausedSeconds).isEmpty();
    }

    @Test
    void itGoesOnAfterAFailureAndTellsTheRangesInOrder() {
        assertThat(run(
                        0,
                        319,
                        20,
                        piece -> piece.from() / 64 == 1 || piece.from() / 64 == 2 ? failed("why") : COMPLETE))
                .isFalse();
        assertThat(lines().subList(2, 5))
                .containsExactly("complete: 0 to 63", "not complete: 64 to 191: why", "complete: 192 to 319");
        assertThat(lines()).hasSize(5);
    }

    @Test
    void twentyFailuresInARowEndIt() {
        assertThat(run(0, 64 * 30 - 1, 20, piece -> piece.from() == 0 ? COMPLETE : failed("why")))
                .isFalse();
        assertThat(asked).hasSize(21);
        assertThat(lines())
                .endsWith("complete: 0 to 63", "not complete: 64 to 1,343: why", "not asked: 1,344 to 1,919");
    }

    @Test
    void aRefusalOfTheCallerEndsItAtOnce() {
        assertThat(run(0, 127, 20, piece -> new Answer(Outcome.REFUSED, "HTTP 401", 0, 0)))
                .isFalse();
        assertThat(asked).hasSize(1);
        assertThat(lines()).endsWith("not complete: 0 to 63: HTTP 401", "not asked: 64 to 127");
    }

    @Test
    void onlyTheFirstTwentyRangesAreListed() {
        assertThat(run(0, 64 * 100 - 1, 20, piece -> piece.from() / 64 % 2 == 1 ? failed("why") : COMPLETE))
                .isFalse();
        assertThat(lines()).hasSize(2 + 20 + 1);
        assertThat(lines()).endsWith("further ones: 5,120 blocks; of all blocks, 3,200 are not complete");
    }

    @Test
    void progressIsToldEveryTenSecondsAtMost() {
        run(1_000_000, 1_003_199, 20, piece -> {
            nanos += TimeUnit.SECONDS.toNanos(4);
            return COMPLETE;
        });
        List<String> progress =
                lines().stream().filter(line -> line.endsWith(" left")).toList();
        assertThat(progress)
                .hasSize(16)
                .startsWith("blocks 1,000,000 to 1,000,191 complete, 6 %, about 3 min left")
                .endsWith("blocks 1,000,000 to 1,003,071 complete, 96 %, about 8 s left");
    }

    @Test
    void progressTellsOfBlocksThatAreNotComplete() {
        run(0, 255, 20, piece -> {
            nanos += TimeUnit.SECONDS.toNanos(11);
            return piece.from() == 0 ? failed("why") : COMPLETE;
        });
        assertThat(lines()).contains("blocks 0 to 127 asked, 64 not complete, 50 %, about 22 s left");
    }
}
