package io.weir.upstream.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.link.WebSocketConnectionHandler.ReconnectPause;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class ReconnectPauseTest {

    private static final Failed REFUSED = new Failed(Fault.CONNECT, Executed.NO, "refused", 0);

    private final AtomicLong clock = new AtomicLong();

    private List<Long> pauses(int failures, IntUnaryOperator random) {
        ReconnectPause pause = new ReconnectPause(clock::get, random);
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < failures; i++) {
            pause.failed(REFUSED);
            long millis = 0;
            while (pause.problem() != null) {
                millis++;
                clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
            }
            pauses.add(millis);
        }
        return pauses;
    }

    @Test
    void pausesDoubleUpToABound() {
        assertThat(pauses(9, bound -> bound - 1))
                .containsExactly(100L, 200L, 400L, 800L, 1_600L, 3_200L, 6_400L, 10_000L, 10_000L);
    }

    @Test
    void aThousandFailuresAreNoLongerAPauseThanTheBound() {
        ReconnectPause pause = new ReconnectPause(clock::get, bound -> bound - 1);
        for (int i = 0; i < 1_000; i++) {
            pause.failed(REFUSED);
        }
        assertThat(pause.problem()).isEqualTo(REFUSED);
        clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(ReconnectPause.MAX_MILLIS));
        assertThat(pause.problem()).isNull();
    }

    @Test
    void aPauseIsShortenedToHalfAtMost() {
        assertThat(pauses(3, bound -> 0)).containsExactly(50L, 100L, 200L);
    }

    @Test
    void anAnswerEndsThePauseAndItsGrowth() {
        ReconnectPause pause = new ReconnectPause(clock::get, bound -> bound - 1);
        pause.failed(REFUSED);
        pause.failed(REFUSED);
        pause.worked();
        assertThat(pause.problem()).isNull();
        pause.failed(REFUSED);
        clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(ReconnectPause.FIRST_MILLIS));
        assertThat(pause.problem()).isNull();
    }
}
