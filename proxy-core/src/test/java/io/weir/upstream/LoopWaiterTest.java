package io.weir.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoopWaiterTest {

    private static final long HOUR = TimeUnit.HOURS.toNanos(1);
    private static final long NO_TIMER = -1;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<String> values = new ArrayList<>();
    private final LoopWaiter<String> waiter = new LoopWaiter<>(channel.eventLoop(), values::add);

    @Test
    void theValueLeavesNoTimerThatHoldsTheCall() {
        waiter.giveUpAfter(HOUR, "late");
        assertThat(channel.runScheduledPendingTasks()).isPositive();
        waiter.end("value");
        assertThat(channel.runScheduledPendingTasks()).isEqualTo(NO_TIMER);
        assertThat(values).containsExactly("value");
    }

    @Test
    void aValueThatCameBeforeTheTimerLeavesNoneEither() {
        waiter.end("value");
        waiter.giveUpAfter(HOUR, "late");
        assertThat(channel.runScheduledPendingTasks()).isEqualTo(NO_TIMER);
        assertThat(values).containsExactly("value");
    }

    @Test
    void onlyTheFirstValueCounts() {
        waiter.giveUpAfter(0, "late");
        channel.runScheduledPendingTasks();
        waiter.end("value");
        assertThat(values).containsExactly("late");
    }
}
