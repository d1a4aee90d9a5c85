package io.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

class EveryBenchmarkTest {

    @Test
    void eachRunsOnceWithoutAnError() throws RunnerException {
        // Several checkouts may be tested on one machine.
        System.setProperty("jmh.ignoreLock", "true");

        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include("io\\.weir\\.bench\\.[A-Za-z]+Bench\\.")
                        .mode(Mode.SingleShotTime)
                        .timeUnit(TimeUnit.MICROSECONDS)
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .timeout(TimeValue.seconds(60))
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();

        assertThat(results)
                .hasSizeGreaterThan(30)
                .allSatisfy(result -> assertThat(result.getPrimaryResult().getScore())
                        .as(result.getParams().id())
                        .isPositive());
    }
}
