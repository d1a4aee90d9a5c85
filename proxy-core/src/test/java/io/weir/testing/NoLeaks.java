package io.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/**
 * Fails a test class during which Netty finds a buffer that nobody released. Tracks every buffer while the class runs; other
 * classes keep the level that the JVM was started with. No other class runs in the same JVM meanwhile: Netty's reports do not say whose
 * buffer it was.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Isolated
@ExtendWith(NoLeaks.Check.class)
public @interface NoLeaks {

    /** Tracks and looks. Confined to the thread of the class. */
    final class Check implements BeforeAllCallback, AfterAllCallback {

        private static final int COLLECTIONS = 3;
        private static final long COLLECTION_TIMEOUT_MILLIS = 60_000;

        private final Logger logger = (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
        private final ListAppender<ILoggingEvent> seen = new ListAppender<>();
        private final ResourceLeakDetector.Level levelBefore = ResourceLeakDetector.getLevel();

        @Override
        public void beforeAll(ExtensionContext context) {
            ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
            collect();
            seen.start();
            logger.addAppender(seen);
        }

        @Override
        public void afterAll(ExtensionContext context) {
            collect();
            ResourceLeakDetector.setLevel(levelBefore);
            logger.detachAppender(seen);
            assertThat(List.copyOf(seen.list))
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .filteredOn(message -> message.contains("LEAK"))
                    .isEmpty();
        }

        /** Finds the buffers that are lost by now. Netty reports them when it makes the next buffer. */
        private static void collect() {
            for (int i = 0; i < COLLECTIONS; i++) {
                awaitCollection();
                ByteBufAllocator.DEFAULT.buffer(1).release();
            }
        }

        /** Returns once the JVM has handled the references that a collection cleared, which it does on a thread of its own. */
        private static void awaitCollection() {
            ReferenceQueue<Object> cleared = new ReferenceQueue<>();
            PhantomReference<Object> marker = new PhantomReference<>(new Object(), cleared);
            System.gc();
            try {
                assertThat(cleared.remove(COLLECTION_TIMEOUT_MILLIS))
                        .as("the collector's work")
                        .isSameAs(marker);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting for the collector", e);
            }
        }
    }
}
