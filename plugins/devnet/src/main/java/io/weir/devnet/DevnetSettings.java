package io.weir.devnet;

import com.typesafe.config.Config;
import io.weir.devnet.mining.PoolBounds;
import io.weir.devnet.rpc.LogBounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The plugin's settings; {@code reference.conf} says what each is for. Immutable.
 *
 * @param maxLiveBytes of the blocks as nodes exchange them
 */
record DevnetSettings(
        Duration blockTime, int maxLiveBlocks, long maxLiveBytes, PoolBounds poolBounds, LogBounds logBounds) {
    private static final Duration LEAST_BLOCK_TIME = Duration.ofMillis(10);

    static DevnetSettings read(Config settings) {
        return new DevnetSettings(
                settings.getDuration("block-time"),
                settings.getInt("max-live-blocks"),
                settings.getBytes("max-live-bytes"),
                new PoolBounds(
                        settings.getInt("max-pool-transactions"),
                        settings.getBytes("max-pool-bytes"),
                        settings.getLong("max-state-entries")),
                new LogBounds(settings.getLong("max-log-blocks"), settings.getInt("max-logs")));
    }

    List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (blockTime.compareTo(LEAST_BLOCK_TIME) < 0) {
            problems.add("block-time: " + blockTime.toMillis() + " ms (expected: at least 10 ms)");
        }
        requirePositive(problems, "max-live-blocks", maxLiveBlocks);
        requirePositive(problems, "max-live-bytes", maxLiveBytes);
        requirePositive(problems, "max-pool-transactions", poolBounds.maxTransactions());
        requirePositive(problems, "max-pool-bytes", poolBounds.maxBytes());
        requirePositive(problems, "max-state-entries", poolBounds.maxStateEntries());
        requirePositive(problems, "max-log-blocks", logBounds.maxBlocks());
        requirePositive(problems, "max-logs", logBounds.maxLogs());
        return problems;
    }

    private static void requirePositive(List<String> problems, String path, long value) {
        if (value < 1) {
            problems.add(path + ": " + value + " (expected: at least 1)");
        }
    }
}
