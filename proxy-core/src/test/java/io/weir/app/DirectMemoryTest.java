package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The bound on buffers beside heaps of several sizes. */
class DirectMemoryTest {

    private static final long MIB = 1L << 20;

    @Test
    void heapAndBuffersFitIntoTheMemory() {
        assertThat(DirectMemory.bound(1000 * MIB, 600 * MIB)).isEqualTo(200 * MIB);
        assertThat(DirectMemory.bound(100_000 * MIB, 60_000 * MIB)).isEqualTo(20_000 * MIB);
    }

    @Test
    void buffersTakeNoMoreThanTheHeap() {
        assertThat(DirectMemory.bound(64_000 * MIB, 1000 * MIB)).isEqualTo(1000 * MIB);
    }

    @Test
    void aMachineThatIsTooSmallStillServes() {
        assertThat(DirectMemory.bound(128 * MIB, 120 * MIB)).isEqualTo(64 * MIB);
        assertThat(DirectMemory.bound(100 * MIB, 120 * MIB)).isEqualTo(64 * MIB);
    }
}
