package io.weir.upstream.pool;

import io.weir.testing.Runs;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random schedules of what nodes call final. {@code -Dweir.finality.seeds=5000} runs more of them. */
class FinalityScheduleTest {

    private static final int SEEDS = Runs.number("weir.finality.seeds", 40, 5_000);

    @ParameterizedTest
    @EnumSource
    void whatIsFinalNeverGoesBackAndIsNeverAboveTheLowerOfTwoWords(FinalitySchedule.Demand demand) {
        for (long seed = 0; seed < SEEDS; seed++) {
            new FinalitySchedule(seed, demand).run();
        }
    }
}
