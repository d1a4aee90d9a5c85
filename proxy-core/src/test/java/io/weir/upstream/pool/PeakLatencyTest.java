package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PeakLatencyTest {

    private static final long LATER = NodeLatency.Peak.DECAY_NANOS;
    private static final double LEFT = 1_000 / Math.E;

    private final NodeLatency.Peak latency = new NodeLatency.Peak(0);

    @Test
    void anAnswerThatTakesLongerThanWhatIsLeftOfTheAverageRaisesIt() {
        latency.add(1_000, 0);
        assertThat(latency.nanos(LATER)).isCloseTo(LEFT, within(1.0));

        latency.atLeast(300, LATER);
        assertThat(latency.nanos(LATER)).isCloseTo(LEFT, within(1.0));
        latency.atLeast(500, LATER);
        assertThat(latency.nanos(LATER)).isEqualTo(500);
    }

    @Test
    void aPeakCountsAtOnceAndFallsSlowly() {
        latency.add(100, 0);
        latency.add(1_000, 0);
        assertThat(latency.nanos(0)).isEqualTo(1_000);
        latency.add(100, LATER);
        assertThat(latency.nanos(LATER)).isCloseTo(LEFT + 100 * (1 - 1 / Math.E), within(1.0));
    }
}
