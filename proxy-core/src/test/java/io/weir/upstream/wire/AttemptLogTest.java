package io.weir.upstream.wire;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.weir.testing.ThreadLog;
import io.weir.upstream.NodeOutcome;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AttemptLogTest {

    private static final NodeOutcome OUTCOME =
            ReplyVerdict.failed(NodeOutcome.Fault.DISCONNECTED, NodeOutcome.Executed.MAYBE, "the connection broke");

    @Test
    void outcomesThatCannotBeTakenAreNotLoggedEachAndTellNothingOfTheCall() {
        List<ILoggingEvent> logged;
        try (ThreadLog lines = new ThreadLog(Attempt.class.getName())) {
            // Another test may have used up the line of this second.
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            for (int i = 0; i < 1_000 || (lines.lines().isEmpty() && System.nanoTime() - end < 0); i++) {
                new Attempt<Object, Object>(AnsweredCall.CALL, outcome -> {
                            throw new IllegalStateException("secret");
                        })
                        .end(OUTCOME);
            }
            logged = lines.lines();
        }
        assertThat(logged).hasSizeBetween(1, 100);
        assertThat(logged.get(0).getThrowableProxy().getMessage()).isEqualTo(IllegalStateException.class.getName());
    }
}
