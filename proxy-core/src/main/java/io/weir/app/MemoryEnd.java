package io.weir.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import io.weir.metrics.OutOfMemory;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * The end of the process when memory is exhausted, on any thread. A supervisor restarts a process that has ended, but a
 * process without memory hangs and answers nothing. Checks uncaught errors, errors in log messages of any library, and
 * errors passed to {@link OutOfMemory}. Thread-safe.
 */
final class MemoryEnd {

    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(MemoryEnd.class);

    private static final byte[] MESSAGE =
            ("weir: out of memory, the process ends with exit code 3 (expected: -Xmx well above"
                            + " server.bytes-in-flight and cache.memory together)\n")
                    .getBytes(StandardCharsets.UTF_8);

    @SuppressWarnings("resource") // The standard error stream stays open.
    private static final FileOutputStream STANDARD_ERROR = new FileOutputStream(FileDescriptor.err);

    private static final AtomicBoolean ENDING = new AtomicBoolean();

    /** Empty while the end is rehearsed. */
    private static byte[] lastWords = {};

    private MemoryEnd() {}

    static void watch() {
        OutOfMemory.whenSeen(MemoryEnd::end);
        rehearse();
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            OutOfMemory.check(failure);
            LOG.error("thread {} ended by a failure", thread.getName(), failure);
        });
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            Logged filter = new Logged();
            filter.setContext(context);
            filter.start();
            context.addTurboFilter(filter);
        }
    }

    /** Runs the end up to the halt, and loads the classes of the halt: nothing can be loaded or linked without memory. */
    private static void rehearse() {
        OutOfMemory.check(new IllegalStateException(new OutOfMemoryError()));
        Runtime.getRuntime().removeShutdownHook(Thread.currentThread());
        lastWords = MESSAGE;
        ENDING.set(false);
    }

    /** Allocates nothing: everything it uses exists already. */
    private static void end() {
        if (!ENDING.compareAndSet(false, true)) {
            // Another thread is writing the message and ends the process.
            return;
        }
        try {
            STANDARD_ERROR.write(lastWords);
        } catch (IOException e) {
            // Nobody reads it.
        } finally {
            if (lastWords.length > 0) {
                Runtime.getRuntime().halt(ExitCodes.OUT_OF_MEMORY);
            }
        }
    }

    /** Checks the error of every log message, whatever the level of its logger. Thread-safe. */
    private static final class Logged extends TurboFilter {

        @Override
        public FilterReply decide(
                @Nullable Marker marker,
                Logger logger,
                Level level,
                @Nullable String format,
                Object @Nullable [] parameters,
                @Nullable Throwable failure) {
            if (failure != null) {
                OutOfMemory.check(failure);
            } else if (parameters != null
                    && parameters.length > 0
                    && parameters[parameters.length - 1] instanceof Throwable last) {
                OutOfMemory.check(last);
            }
            return FilterReply.NEUTRAL;
        }
    }
}
