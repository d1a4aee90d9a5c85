package io.weir.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class OutOfMemoryTest {

    private final AtomicInteger seen = new AtomicInteger();

    @BeforeEach
    void watch() {
        OutOfMemory.whenSeen(seen::incrementAndGet);
    }

    @AfterEach
    void stop() {
        OutOfMemory.whenSeen(null);
    }

    @Test
    void itIsSeenBehindOtherFailures() {
        OutOfMemory.check(new OutOfMemoryError());
        OutOfMemory.check(new CompletionException(new IllegalStateException(new OutOfMemoryError())));
        assertThat(seen).hasValue(2);
    }

    @Test
    void otherFailuresAreNot() {
        Exception one = new IOException("one");
        Exception two = new IOException("two", one);
        one.initCause(two);
        OutOfMemory.check(one);
        OutOfMemory.check(new StackOverflowError());
        OutOfMemory.check(null);
        assertThat(seen).hasValue(0);
    }

    @Test
    void aTaskThatRunsOutOfMemoryIsSeenAndFails() {
        assertThatThrownBy(() -> OutOfMemory.run(() -> {
                    throw new OutOfMemoryError("of this test");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(seen).hasValue(1);
    }

    @Test
    void aWarningThatIsLeftOutOfTheLogIsSeenToo() {
        RateLimitedLogger log = new RateLimitedLogger(LoggerFactory.getLogger(OutOfMemoryTest.class), () -> 0L);
        for (int i = 0; i < 3; i++) {
            log.warn("a problem", new OutOfMemoryError("of this test"));
        }
        assertThat(seen).hasValue(3);
    }
}
