package io.weir.testing;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * What the thread of a test writes to one logger, from the object's creation to its end. Tests that run at the same time may write to the
 * same logger. Confined to the thread.
 */
public final class ThreadLog implements AutoCloseable {

    private final Logger logger;
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>() {

        private final Thread thread = Thread.currentThread();

        @Override
        protected void append(ILoggingEvent line) {
            if (Thread.currentThread() == thread) {
                super.append(line);
            }
        }
    };

    /** @param name of the logger: a class or a package */
    public ThreadLog(String name) {
        logger = (Logger) LoggerFactory.getLogger(name);
        lines.start();
        logger.addAppender(lines);
    }

    /** Returns what was written so far. */
    public List<ILoggingEvent> lines() {
        return List.copyOf(lines.list);
    }

    @Override
    public void close() {
        logger.detachAppender(lines);
    }
}
