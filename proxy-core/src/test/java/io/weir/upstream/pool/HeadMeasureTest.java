package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Heads that are compared as of the same moment. */
class HeadMeasureTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long MAX_LAG = 3;

    private final HeadMeasure measure = new HeadMeasure(MAX_LAG, () -> Long.MAX_VALUE);

    private void round(long head, long atNanos) {
        measure.beginRound();
        measure.named(new HeadMeasure.Sample(head, atNanos));
        measure.endRound(-1, atNanos);
    }

    @Test
    void aFalseHeadDoesNotLetTheGrowthHideHowFarANodeIsBehind() {
        round(1_000, SECOND);
        round(1_000_000_000_000L, 2 * SECOND);
        round(1_000_000, 5 * SECOND);
        assertThat(measure.lag(1_000, 3 * SECOND, false)).isEqualTo("is 999000 blocks behind");
    }

    @Test
    void theLargestBoundOnTheLagDoesNotOverflow() {
        HeadMeasure lenient = new HeadMeasure(Long.MAX_VALUE, () -> Long.MAX_VALUE);
        lenient.beginRound();
        lenient.named(new HeadMeasure.Sample(100, 3 * SECOND));
        assertThat(lenient.lag(50, 2 * SECOND, false)).isNull();
    }
}
