package io.weir.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RateLimitedLoggerTest {

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger = new LoggerContext().getLogger("trouble");
    private long nanos = Long.MAX_VALUE - 1000;
    private final RateLimitedLogger log = new RateLimitedLogger(logger, () -> nanos);

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @Test
    void aProblemIsLoggedOnceASecondWithTheNumberOfThoseLeftOut() {
        for (int millis = 0; millis < 2_500; millis++) {
            log.warn("trouble");
            nanos += TimeUnit.MILLISECONDS.toNanos(1);
        }
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("trouble", "trouble (and 999 more like it)", "trouble (and 999 more like it)");
    }

    @Test
    void aFailureIsLoggedWithItsStackTraceAndWithoutItsMessage() {
        log.warn("failed inside", new IllegalStateException("secret", new IllegalArgumentException("/v3/secret")));
        String trace = ThrowableProxyUtil.asString(lines.list.get(0).getThrowableProxy());
        assertThat(trace)
                .doesNotContain("secret")
                .contains("IllegalStateException", "IllegalArgumentException", "RateLimitedLoggerTest.java:");
    }

    @Test
    void failuresThatCauseEachOtherAreLoggedNotForever() {
        Exception first = new Exception();
        first.initCause(new Exception(first));
        log.warn("failed inside", first);
        assertThat(lines.list).hasSize(1);
    }
}
