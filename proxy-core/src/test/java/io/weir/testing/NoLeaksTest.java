package io.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

@Isolated("it changes how Netty tracks buffers")
class NoLeaksTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
    private final NoLeaks.Check check = new NoLeaks.Check();

    /** These leaks are meant: they are not shown in the build's output. */
    @BeforeEach
    void silence() {
        logger.setAdditive(false);
    }

    @AfterEach
    void speak() {
        logger.setAdditive(true);
    }

    @Test
    void aClassThatLosesOneBufferFails() {
        check.beforeAll(null);
        loseABuffer();
        assertThatThrownBy(() -> check.afterAll(null)).hasMessageContaining("LEAK: ByteBuf.release() was not called");
    }

    @Test
    void aClassThatReleasesItsBuffersPassesAndOthersAreTrackedAsBefore() {
        ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
        loseABuffer();
        check.beforeAll(null);
        assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.PARANOID);
        ByteBufAllocator.DEFAULT.buffer(16).release();
        check.afterAll(null);
        assertThat(ResourceLeakDetector.getLevel()).isEqualTo(before);
    }

    private static void loseABuffer() {
        ByteBufAllocator.DEFAULT.buffer(16).writeInt(1);
    }
}
