package io.weir.upstream.wire;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.weir.upstream.NodeOutcome;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class AttemptLogTest {

    private static final NodeOutcome OUTCOME =
            ReplyVerdict.failed(NodeOutcome.Fault.DISCONNECTED, NodeOutcome.Executed.MAYBE, "the connection broke");

    @Test
    void outcomesThatCannotBeTakenAreNotLoggedEachAndTellNothingOfTheCall() {
        Logger logger = (Logger) LoggerFactory.getLogger(Attempt.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            // Another test may have used up the line of this second.
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            for (int i = 0; i < 1_000 || (lines.list.isEmpty() && System.nanoTime() - end < 0); i++) {
                new Attempt<Object, Object>(AnsweredCall.CALL, outcome -> {
                            throw new IllegalStateException("secret");
                        })
                        .end(OUTCOME);
            }
        } finally {
            logger.detachAppender(lines);
        }
        List<ILoggingEvent> logged = List.copyOf(lines.list);
        assertThat(logged).hasSizeBetween(1, 100);
        assertThat(logged.get(0).getThrowableProxy().getMessage()).isEqualTo(IllegalStateException.class.getName());
    }
}
