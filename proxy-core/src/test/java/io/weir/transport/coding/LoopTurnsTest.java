package io.weir.transport.coding;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LoopTurnsTest {

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Logger logger = (Logger) LoggerFactory.getLogger(LoopTurns.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final LoopTurns turns = new LoopTurns();
    private final List<String> done = new ArrayList<>();

    @BeforeEach
    void listen() {
        logged.start();
        logger.addAppender(logged);
        channel.freezeTime();
    }

    @AfterEach
    void close() {
        logger.detachAppender(logged);
        channel.finishAndReleaseAll();
    }

    private void add(BooleanSupplier work, String name) {
        turns.add(channel.eventLoop(), work, () -> done.add(name + " failed"));
    }

    private BooleanSupplier pieces(String name, int number) {
        int[] next = {0};
        return () -> {
            done.add(name + ++next[0]);
            return next[0] < number;
        };
    }

    private void turn() {
        for (int i = 0; i < 10; i++) {
            channel.runScheduledPendingTasks();
        }
    }

    @Test
    void worksTakeTurns() {
        add(pieces("a", 3), "a");
        add(pieces("b", 2), "b");
        turn();
        assertThat(done).containsExactly("a1", "b1", "a2", "b2", "a3");
        assertThat(logged.list).isEmpty();
    }

    @Test
    void aPieceThatThrowsIsLoggedAndEndsItsWorkAlone() {
        add(pieces("a", 2), "a");
        add(
                () -> {
                    throw new IllegalStateException("secret");
                },
                "b");
        add(
                () -> {
                    throw new AssertionError("secret");
                },
                "c");
        turn();
        assertThat(done).containsExactly("a1", "b failed", "c failed", "a2");
        assertThat(logged.list).isNotEmpty().allSatisfy(line -> {
            assertThat(line.getFormattedMessage()).startsWith("work on an event loop failed");
            assertThat(ThrowableProxyUtil.asString(line.getThrowableProxy())).doesNotContain("secret");
        });
    }
}
