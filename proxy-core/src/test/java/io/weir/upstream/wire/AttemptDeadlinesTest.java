package io.weir.upstream.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.upstream.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One timer for the deadlines of many attempts. */
class AttemptDeadlinesTest {

    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final List<Long> timers = new ArrayList<>();
    private final EventLoop loop = new DefaultEventLoop() {
        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            timers.add(delay);
            return super.schedule(command, delay, unit);
        }
    };

    @AfterEach
    void end() {
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void onlyAnEarlierDeadlineNeedsAnotherTimer() throws Exception {
        List<Attempt> attempts = new ArrayList<>();
        AttemptDeadlines deadlines = new AttemptDeadlines(loop, () -> attempts, late -> {});
        loop.submit(() -> {
                    long now = System.nanoTime();
                    for (long left : new long[] {2 * MINUTE, 3 * MINUTE, 2 * MINUTE, MINUTE, 4 * MINUTE}) {
                        deadlines.add(Attempt.of(outcome -> {}), now + left, left);
                    }
                    deadlines.close();
                })
                .get();
        assertThat(timers).containsExactly(2 * MINUTE, MINUTE);
    }
}
