package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.upstream.pool.NodeLatency.AnswerTimes;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AnswerTimesTest {

    private final AnswerTimes.Quantile quantile = new AnswerTimes.Quantile(0.95);

    @Test
    void fewSamplesGiveNone() {
        for (int i = 1; i < AnswerTimes.Quantile.MIN_SAMPLES; i++) {
            quantile.add(1_000_000);
        }
        assertThat(quantile.nanos()).isEqualTo(Long.MAX_VALUE);
        quantile.add(1_000_000);
        assertThat(quantile.nanos()).isBetween(1_000_000L, 1_250_000L);
    }

    @Test
    void itIsTheExactQuantileRoundedUpByAtMostAQuarter() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int run = 0; run < 200; run++) {
            AnswerTimes.Quantile tested = new AnswerTimes.Quantile(0.95);
            long[] samples = new long[AnswerTimes.Quantile.MIN_SAMPLES];
            for (int i = 0; i < samples.length; i++) {
                samples[i] = 1 + (long) Math.exp(random.nextDouble() * 30);
                tested.add(samples[i]);
            }
            Arrays.sort(samples);
            long exact = samples[(int) Math.ceil(0.95 * samples.length) - 1];
            assertThat(tested.nanos())
                    .as("seed %d, run %d", seed, run)
                    .isGreaterThanOrEqualTo(exact)
                    .isLessThanOrEqualTo(Math.max(8, exact + exact / 4 + 1));
        }
    }

    @Test
    void itFollowsAChange() {
        for (int i = 0; i < 100_000; i++) {
            quantile.add(TimeUnit.SECONDS.toNanos(1));
        }
        for (int i = 0; i < 20_000; i++) {
            quantile.add(TimeUnit.MILLISECONDS.toNanos(1));
        }
        assertThat(quantile.nanos()).isLessThan(TimeUnit.MILLISECONDS.toNanos(2));
    }

    @Test
    void anyTimeIsASample() {
        for (long nanos : new long[] {Long.MIN_VALUE, -1, 0, 1, 3, 4, 5, Long.MAX_VALUE}) {
            AnswerTimes.Quantile tested = new AnswerTimes.Quantile(0.95);
            for (int i = 0; i < AnswerTimes.Quantile.MIN_SAMPLES; i++) {
                tested.add(nanos);
            }
            assertThat(tested.nanos()).as("of %d", nanos).isNotZero();
        }
    }
}
