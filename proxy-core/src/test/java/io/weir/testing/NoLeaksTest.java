package io.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class NoLeaksTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
    private final NoLeaks extension = new NoLeaks();

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
        extension.beforeAll(null);
        loseABuffer();
        assertThatThrownBy(() -> extension.afterAll(null))
                .hasMessageContaining("LEAK: ByteBuf.release() was not called");
    }

    @Test
    void aClassThatReleasesItsBuffersPassesAndOthersAreTrackedAsBefore() {
        ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
        loseABuffer();
        extension.beforeAll(null);
        assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.PARANOID);
        ByteBufAllocator.DEFAULT.buffer(16).release();
        extension.afterAll(null);
        assertThat(ResourceLeakDetector.getLevel()).isEqualTo(before);
    }

    private static void loseABuffer() {
        ByteBufAllocator.DEFAULT.buffer(16).writeInt(1);
    }
}
