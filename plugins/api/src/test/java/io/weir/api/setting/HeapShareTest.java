package io.weir.api.setting;

import static org.assertj.core.api.Assertions.assertThat;

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
}
