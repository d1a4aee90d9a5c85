package io.weir.transport.request;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.testing.ThreadLog;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoopTurnsTest {

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final ThreadLog logged = new ThreadLog(LoopTurns.class.getName());
    private final LoopTurns turns = new LoopTurns();
    private final List<String> done = new ArrayList<>();

    @BeforeEach
    void listen() {
        channel.freezeTime();
    }

    @AfterEach
    void close() {
        logged.close();
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
        assertThat(logged.lines()).isEmpty();
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
        assertThat(logged.lines()).isNotEmpty().allSatisfy(line -> {
            assertThat(line.getFormattedMessage()).startsWith("work on an event loop failed");
            assertThat(ThrowableProxyUtil.asString(line.getThrowableProxy())).doesNotContain("secret");
        });
    }
}
