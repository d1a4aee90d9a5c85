package io.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Fails a test class during which Netty found a buffer that nobody released. Needs leak detection at {@code paranoid}. */
public final class NoLeaks implements BeforeAllCallback, AfterAllCallback {

    private static final int COLLECTIONS = 3;

    private final Logger logger = (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
    private final ListAppender<ILoggingEvent> seen = new ListAppender<>();

    @Override
    public void beforeAll(ExtensionContext context) {
        assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.PARANOID);
        collect();
        seen.start();
        logger.addAppender(seen);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        collect();
        logger.detachAppender(seen);
        assertThat(List.copyOf(seen.list))
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(message -> message.contains("LEAK"))
                .isEmpty();
    }

    /** Has lost buffers found: they are reported with the next one that is made. */
    private static void collect() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            ByteBufAllocator.DEFAULT.buffer(1).release();
        }
    }
}
