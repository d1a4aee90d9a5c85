package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.weir.testing.NetworkSettings;
import io.weir.upstream.LatencyClass;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NodeLatencyTest {

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LATER = NodeLatency.Peak.DECAY_NANOS;
    private static final double LEFT = 1_000 / Math.E;

    private long now = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(5);
    private final NodeLatency latency =
            new NodeLatency(NetworkSettings.of("net").ejection().rules(), List::of, () -> now);

    private long millis(LatencyClass of) {
        return TimeUnit.NANOSECONDS.toMillis(latency.nanos(of));
    }

    @Test
    void aLongTimeCountsAtOnceAndIsForgottenSlowly() {
        latency.answered(LatencyClass.LOOKUP, MILLI);
        latency.answered(LatencyClass.LOOKUP, 500 * MILLI);
        assertThat(millis(LatencyClass.LOOKUP)).isEqualTo(500);
        now += NodeLatency.Peak.DECAY_NANOS;
        assertThat(millis(LatencyClass.LOOKUP)).isBetween(180L, 185L);
        now += 9 * NodeLatency.Peak.DECAY_NANOS;
        assertThat(latency.step(LatencyClass.LOOKUP)).isEqualTo(NodeLatency.LEAST_NANOS);
    }

    @Test
    void classesDoNotCountForEachOther() {
        latency.answered(LatencyClass.HEAVY, 500 * MILLI);
        assertThat(millis(LatencyClass.LOOKUP)).isZero();
        assertThat(millis(LatencyClass.HEAVY)).isEqualTo(500);
    }

    @Test
    void anOpenAttemptRaisesTheAverageButNeverLowersIt() {
        latency.answered(LatencyClass.LOOKUP, 20 * MILLI);
        latency.unanswered(LatencyClass.LOOKUP, 10 * MILLI);
        assertThat(millis(LatencyClass.LOOKUP)).isEqualTo(20);
        latency.unanswered(LatencyClass.LOOKUP, 40 * MILLI);
        assertThat(millis(LatencyClass.LOOKUP)).isEqualTo(40);
    }

    @Test
    void similarLatenciesAreOneStep() {
        latency.answered(LatencyClass.LOOKUP, 40 * MILLI);
        long step = latency.step(LatencyClass.LOOKUP);
        NodeLatency other = new NodeLatency(NetworkSettings.of("net").ejection().rules(), List::of, () -> now);
        other.answered(LatencyClass.LOOKUP, 60 * MILLI);
        assertThat(other.step(LatencyClass.LOOKUP)).isEqualTo(step);
        other.answered(LatencyClass.LOOKUP, 160 * MILLI);
        assertThat(other.step(LatencyClass.LOOKUP)).isEqualTo(4 * step);
    }

    @Test
    void anAnswerThatTakesLongerThanWhatIsLeftOfTheAverageRaisesIt() {
        NodeLatency.Peak peak = new NodeLatency.Peak(0);
        peak.add(1_000, 0);
        assertThat(peak.nanos(LATER)).isCloseTo(LEFT, within(1.0));

        peak.atLeast(300, LATER);
        assertThat(peak.nanos(LATER)).isCloseTo(LEFT, within(1.0));
        peak.atLeast(500, LATER);
        assertThat(peak.nanos(LATER)).isEqualTo(500);
    }

    @Test
    void aPeakCountsAtOnceAndFallsSlowly() {
        NodeLatency.Peak peak = new NodeLatency.Peak(0);
        peak.add(100, 0);
        peak.add(1_000, 0);
        assertThat(peak.nanos(0)).isEqualTo(1_000);
        peak.add(100, LATER);
        assertThat(peak.nanos(LATER)).isCloseTo(LEFT + 100 * (1 - 1 / Math.E), within(1.0));
    }
}
