package io.weir.upstream.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.limit.Budget;
import io.weir.limit.Reservation;
import io.weir.metrics.Meters;
import io.weir.upstream.Attempt;
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
    private static final class Taker extends Attempt {

        @Override
        protected boolean takesStream(ResultStream result) {
            return true;
        }

        @Override
        protected void deliver(NodeOutcome outcome) {}
    }

    private PassingResult offer(long bytes) {
        Reservation reservation = budget.reserve();
        reservation.add(bytes);
        // What others hold already may exceed the bound.
        budget.take(1);
        return PassingResult.offer(null, shared, reservation, new Taker(), -1);
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
