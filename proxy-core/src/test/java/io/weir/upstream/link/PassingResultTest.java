package io.weir.upstream.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.limit.Budget;
import io.weir.limit.Reservation;
import io.weir.metrics.Meters;
import io.weir.upstream.Attempt;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.ResultStream;
import org.junit.jupiter.api.Test;

class PassingResultTest {

    private static final int WINDOW = 1 << 18;

    private final Budget budget = new Budget(WINDOW);
    private final LinkLimits limits =
            new LinkLimits(1, 1, 1, 1, 1, 1, 1, 1, 1, budget, new StreamLimit(1, new Meters(new MetricRegistry())));
    private final AnswerResources shared = new AnswerResources(new EmbeddedChannel().eventLoop(), limits);

    /** Takes every result. */
    private static final class Taker implements Attempt.Taker {

        @Override
        public boolean takesStream(Attempt attempt, ResultStream result) {
            return true;
        }

        @Override
        public void ended(Attempt attempt, NodeOutcome outcome, boolean isStreamed) {}
    }

    private PassingResult offer(long bytes) {
        Reservation reservation = budget.reserve();
        reservation.add(bytes);
        // What others hold already may exceed the bound.
        budget.take(1);
        return PassingResult.offer(null, shared, reservation, Attempt.of(CallCause.OTHER, "caller", new Taker()), -1);
    }

    @Test
    void aResultWhoseWindowIsTakenAlreadyNeedsNoMoreOfASpentBudget() {
        assertThat(offer(WINDOW)).isNotNull();
    }

    @Test
    void aResultIsNotOfferedIfTheBudgetHasNoRoomForItsWindow() {
        assertThat(offer(WINDOW - 1)).isNull();
    }
}
