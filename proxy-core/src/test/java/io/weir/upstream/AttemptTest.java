package io.weir.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.testing.ThreadLog;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The one end of an attempt, and what it tells. */
class AttemptTest {

    private static final NodeOutcome OUTCOME = new NodeOutcome.Failed(
            NodeOutcome.Fault.DISCONNECTED, NodeOutcome.Executed.MAYBE, "the connection broke", 0);

    @Test
    void outcomesThatCannotBeTakenAreNotLoggedEachAndTellNothingOfTheCall() {
        List<ILoggingEvent> logged;
        try (ThreadLog lines = new ThreadLog(Attempt.class.getName())) {
            // Another test may have used up the line of this second.
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            for (int i = 0; i < 1_000 || (lines.lines().isEmpty() && System.nanoTime() - end < 0); i++) {
                Attempt.of(outcome -> {
                            throw new IllegalStateException("secret");
                        })
                        .end(OUTCOME);
            }
            logged = lines.lines();
        }
        assertThat(logged).hasSizeBetween(1, 100);
        assertThat(logged.get(0).getThrowableProxy().getMessage()).isEqualTo(IllegalStateException.class.getName());
    }

    /** Takes a result, and gives it up at once. Confined to one thread. */
    private static class HastyTaker implements Attempt.Taker {
        private int outcomes;

        @Override
        public boolean takesStream(Attempt attempt, ResultStream result) {
            attempt.cancel();
            return true;
        }

        @Override
        public void ended(Attempt attempt, NodeOutcome outcome, boolean isStreamed) {
            outcomes++;
        }
    }

    /** A node that counts. Confined to one thread. */
    private static final class CountingNode implements Attempt.Counting {
        private int ended;
        private int cancelled;

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public void streams() {}

        @Override
        public NodeOutcome ended(Attempt attempt, NodeOutcome outcome, boolean isStreamed) {
            ended++;
            return outcome;
        }

        @Override
        public void cancelled() {
            cancelled++;
        }
    }

    private final HastyTaker hasty = new HastyTaker();
    private final CountingNode node = new CountingNode();
    private int returned;

    private Attempt attempt() {
        Attempt attempt = Attempt.of(CallCause.OTHER, "caller", hasty);
        attempt.countedBy(node, new RpcCall(RawJson.of("1"), "eth_test", null), 0, 0);
        attempt.onReturn(() -> returned++);
        return attempt;
    }

    @Test
    void anAttemptWhoseResultIsGivenUpWhileItIsOfferedEndsOnce() {
        Attempt attempt = attempt();
        assertThat(attempt.stream(new FakeStream())).isTrue();
        attempt.end(OUTCOME);
        attempt.cancel();
        assertThat(returned).isEqualTo(1);
        assertThat(node.cancelled).isEqualTo(1);
        assertThat(node.ended).isZero();
        assertThat(hasty.outcomes).isZero();
    }

    @Test
    void anAttemptGoesOnAfterAResultThatCouldNotBeTaken() {
        HastyTaker failing = new HastyTaker() {
            @Override
            public boolean takesStream(Attempt offered, ResultStream result) {
                throw new IllegalStateException("no memory");
            }
        };
        Attempt attempt = Attempt.of(CallCause.OTHER, "caller", failing);
        attempt.onReturn(() -> returned++);
        assertThatThrownBy(() -> attempt.stream(new FakeStream())).hasMessage("no memory");
        assertThat(returned).isZero();
        attempt.end(OUTCOME);
        assertThat(returned).isOne();
        assertThat(failing.outcomes).isOne();
    }

    @Test
    void anAttemptThatHasEndedTakesNoSecondEnd() {
        Attempt attempt = attempt();
        attempt.end(OUTCOME);
        attempt.end(OUTCOME);
        attempt.cancel();
        assertThat(attempt.stream(new FakeStream())).isFalse();
        assertThat(returned).isEqualTo(1);
        assertThat(node.ended).isEqualTo(1);
        assertThat(node.cancelled).isZero();
        assertThat(hasty.outcomes).isEqualTo(1);
    }
}
