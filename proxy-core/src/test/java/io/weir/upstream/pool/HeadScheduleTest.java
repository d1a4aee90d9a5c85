package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.FastThreadLocal;
import io.weir.testing.Runs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Runs {@link HeadSchedule} with some seeds. {@code -Dweir.heads.seeds=5000} runs more, {@code -Dweir.heads.first=S} begins with the seed
 * of a failure. {@code -Dweir.heads.log=FOLDER} writes the log of each seed, so that two versions of the code can be compared.
 */
class HeadScheduleTest {

    private static final int SEEDS = Runs.number("weir.heads.seeds", 40, 5_000);

    @Test
    void noHeadIsMadeUpOrSinksByOneWordAndEveryCallEnds() {
        long first = Long.getLong("weir.heads.first", 1);
        List<String> breaches = LongStream.range(first, first + SEEDS)
                .parallel()
                .boxed()
                .flatMap(seed -> run(seed).stream().map(breach -> "seed " + seed + ", " + breach))
                .toList();
        assertThat(breaches).isEmpty();
    }

    private static List<String> run(long seed) {
        HeadSchedule schedule = new HeadSchedule(seed).run();
        String folder = System.getProperty("weir.heads.log");
        if (folder != null) {
            write(Path.of(folder, seed + ".txt"), schedule.log);
        }
        // The queues of the run's loop would stay with this thread.
        FastThreadLocal.removeAll();
        return schedule.breaches;
    }

    private static void write(Path file, CharSequence log) {
        try {
            Files.writeString(file, log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
