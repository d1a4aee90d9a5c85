package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.weir.upstream.pool.NodeData.HalfOpen;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MethodMemoryTest {

    private final MockTicker ticker = Ticker.newMockTicker();
    private final RefusedCalls.MethodMemory memory = new RefusedCalls.MethodMemory(ticker::nanoTime);

    @Test
    void aMethodIsLackingForAWhile() {
        assertThat(memory.isLacking("trace_block")).isFalse();
        memory.lacks("trace_block");
        assertThat(memory.isLacking("trace_block")).isTrue();
        assertThat(memory.isLacking("trace_call")).isFalse();
        ticker.advance(HalfOpen.NANOS, TimeUnit.NANOSECONDS);
        assertThat(memory.isLacking("trace_block")).isFalse();
    }

    @Test
    void afterThatWhileOneCallTriesAgainBeforeTheOthers() {
        memory.lacks("trace_block");
        ticker.advance(HalfOpen.NANOS, TimeUnit.NANOSECONDS);
        assertThat(memory.isLacking("trace_block")).isFalse();
        assertThat(memory.isLacking("trace_block")).isTrue();
        memory.lacks("trace_block");
        ticker.advance(HalfOpen.TRIAL_NANOS, TimeUnit.NANOSECONDS);
        assertThat(memory.isLacking("trace_block")).as("the trial failed").isTrue();
    }

    @Test
    void anAnswerShowsThatTheNodeHasItAfterAll() {
        memory.lacks("trace_block");
        memory.has("trace_block");
        assertThat(memory.isLacking("trace_block")).isFalse();
    }

    @Test
    void namesThatClientsMakeUpDoNotFillIt() {
        for (int i = 0; i < 10 * RefusedCalls.MethodMemory.MAX; i++) {
            memory.lacks("made_up" + i);
        }
        memory.lacks("trace_block");
        memory.lacks("x".repeat(RefusedCalls.MethodMemory.MAX_NAME_CHARS + 1));
        assertThat(memory.size()).isLessThanOrEqualTo(RefusedCalls.MethodMemory.MAX);
        assertThat(memory.isLacking("trace_block")).isTrue();
    }
}
