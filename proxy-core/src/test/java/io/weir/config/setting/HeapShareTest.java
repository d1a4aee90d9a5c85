package io.weir.config.setting;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.WeirConfig;
import io.weir.config.load.TextConfig;
import org.junit.jupiter.api.Test;

/** The sizes that follow the heap. */
class HeapShareTest {

    private static final long MIB = 1L << 20;

    @Test
    void aLargeHeapChangesNothing() {
        assertThat(HeapShare.of(1024 * MIB)).isEqualTo(256 * MIB);
        assertThat(HeapShare.of(64 * 1024 * MIB)).isEqualTo(256 * MIB);
    }

    @Test
    void theResultsAndTheCallsInFlightFitIntoHalfOfASmallHeap() {
        assertThat(HeapShare.of(300 * MIB)).isEqualTo(75 * MIB);
    }

    @Test
    void aSizeInTheFileIsTakenAsItIs() throws Exception {
        WeirConfig config =
                TextConfig.load(TextConfig.NETWORK + "server.bytes-in-flight = 900 GiB\ncache.memory = 0 B");
        assertThat(config.server().load().bytes()).isEqualTo(900 * 1024 * MIB);
        assertThat(config.cache().memoryBytes()).isZero();
        WeirConfig automatic =
                TextConfig.load(TextConfig.NETWORK + "server.bytes-in-flight = auto\ncache.memory = auto");
        assertThat(automatic.server().load().bytes()).isEqualTo(HeapShare.ofProcess());
        assertThat(automatic.cache().memoryBytes()).isEqualTo(HeapShare.ofProcess());
    }
}
