package io.weir.upstream.link;

import static io.weir.upstream.link.BatchWindow.BatchMemory.FIRST_PAUSE_NANOS;
import static io.weir.upstream.link.BatchWindow.BatchMemory.MAX_PAUSE_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.upstream.link.BatchWindow.BatchMemory;
import org.junit.jupiter.api.Test;

class BatchMemoryTest {

    private long now = 5;
    private final BatchMemory memory = new BatchMemory(100, () -> now);

    @Test
    void nothingIsKnownAtFirst() {
        assertThat(memory.maxCalls()).isEqualTo(100);
    }

    @Test
    void aNodeThatTakesNoBatchesIsLeftAloneForAWhileAndThenTriedWithASmallOne() {
        memory.shrink(1);
        assertThat(memory.maxCalls()).isEqualTo(1);
        now += FIRST_PAUSE_NANOS - 1;
        assertThat(memory.maxCalls()).isEqualTo(1);
        now++;
        assertThat(memory.maxCalls()).isEqualTo(2);
    }

    @Test
    void theSizeGrowsBackStepByStep() {
        memory.shrink(1);
        now += FIRST_PAUSE_NANOS;
        for (int maxCalls : new int[] {2, 4, 8, 16, 32, 64, 100}) {
            assertThat(memory.maxCalls()).isEqualTo(maxCalls);
            memory.took(maxCalls);
        }
        assertThat(memory.maxCalls()).isEqualTo(100);
    }

    @Test
    void eachTimeThatNothingHasChangedTheWhileIsTwiceAsLongUpToABound() {
        memory.shrink(1);
        long pause = FIRST_PAUSE_NANOS;
        for (int i = 0; i < 10; i++) {
            now += pause - 1;
            assertThat(memory.maxCalls()).isEqualTo(1);
            now++;
            assertThat(memory.maxCalls()).isEqualTo(2);
            memory.shrink(1);
            pause = Math.min(2 * pause, MAX_PAUSE_NANOS);
        }
        assertThat(pause).isEqualTo(MAX_PAUSE_NANOS);
    }

    @Test
    void batchesInFlightTogetherChangeTheSizeOnce() {
        for (int i = 0; i < 9; i++) {
            memory.shrink(50);
        }
        assertThat(memory.maxCalls()).isEqualTo(50);
        memory.shrink(25);
        memory.shrink(50);
        assertThat(memory.maxCalls()).isEqualTo(25);
        now += FIRST_PAUSE_NANOS;
        assertThat(memory.maxCalls()).as("after one pause").isEqualTo(50);
    }

    @Test
    void aLimitOfSizeIsKeptTo() {
        memory.shrink(50);
        memory.shrink(25);
        now += FIRST_PAUSE_NANOS;
        memory.shrink(25);
        assertThat(memory.maxCalls()).isEqualTo(25);
        now += FIRST_PAUSE_NANOS;
        assertThat(memory.maxCalls()).as("in the second pause, which is longer").isEqualTo(25);
    }

    @Test
    void aSmallBatchThatGoesWellSaysNothingOfLargerOnes() {
        memory.shrink(10);
        memory.took(5);
        memory.took(90);
        assertThat(memory.maxCalls()).isEqualTo(10);
    }
}
