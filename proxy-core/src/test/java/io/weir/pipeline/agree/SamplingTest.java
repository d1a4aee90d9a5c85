package io.weir.pipeline.agree;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.weir.jsonrpc.NetworkId;
import io.weir.metrics.Meters;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SamplingTest {

    private static final int DRAWS = 100_000;

    private static long due(double share, long seed) {
        Sampler sampler = new Sampler(
                new NetworkId("net"), null, null, new Meters(new MetricRegistry()), share, new Random(seed));
        return IntStream.range(0, DRAWS).filter(i -> sampler.isDue()).count();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.125, 0.5})
    void aboutTheShareOfResultsIsDue(double share) {
        long seed = new Random().nextLong();
        // Ten standard deviations.
        double spread = 10 * Math.sqrt(DRAWS * share * (1 - share));
        assertThat((double) due(share, seed))
                .as("seed " + seed)
                .isBetween(DRAWS * share - spread, DRAWS * share + spread);
    }

    @Test
    void noneOrAllAreDueAtTheEnds() {
        assertThat(due(0, 1)).isZero();
        assertThat(due(1, 1)).isEqualTo(DRAWS);
    }
}
