package io.weir.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class KnownHeadTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final KnownHead known = KnownHead.none().accepted(100, "a", 0);

    @Test
    void aHeadRestsOnTheFirstNodeThatNamedItUntilItIsShown() {
        assertThat(known.accepted(100, "b", SECOND)).isEqualTo(known);
        assertThat(known.accepted(100, null, SECOND).restsOn()).isNull();
        assertThat(known.accepted(100, null, SECOND).topNanos()).isZero();
        assertThat(known.accepted(99, null, SECOND)).isEqualTo(known);
        assertThat(known.accepted(101, "b", SECOND).restsOn()).isEqualTo("b");
    }

    @Test
    void afterTheChainWentBackTheLowerHeadIsTheKnownOne() {
        KnownHead sunk = known.confirmed(90).sunk(40, SECOND);
        assertThat(sunk.top()).isEqualTo(40);
        assertThat(sunk.confirmed()).isEqualTo(40);
        assertThat(sunk.restsOn()).isNull();
        assertThat(sunk.topNanos()).isEqualTo(SECOND);
    }

    @Test
    void thePaceIsMeasuredOverASecondAtLeast() {
        double first = known.pace().blockNanos();
        assertThat(known.accepted(110, "a", SECOND / 2).pace()).isEqualTo(known.pace());
        assertThat(known.accepted(110, "a", SECOND).pace().blockNanos()).isEqualTo((first + SECOND / 10.0) / 2);
    }
}
