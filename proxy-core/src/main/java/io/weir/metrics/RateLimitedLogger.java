package io.weir.metrics;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** A logger for frequent warnings: at most one a second, with the number of those suppressed. Thread-safe. */
public final class RateLimitedLogger {

    private static final long PAUSE_NANOS = 1_000_000_000L;

    private final Logger log;
    private final LongSupplier clock;
    private final AtomicLong nextNanos;
    private final AtomicLong suppressed = new AtomicLong();

    public RateLimitedLogger(Logger log) {
        this(log, System::nanoTime);
    }

    /** Uses a clock of nanoseconds. */
    RateLimitedLogger(Logger log, LongSupplier clock) {
        this.log = log;
        this.clock = clock;
        this.nextNanos = new AtomicLong(clock.getAsLong());
    }

    /** Logs a warning, or counts it as suppressed. */
    public void warn(String problem) {
        log(others -> log.warn("{}{}", problem, words(others)));
    }

    /**
     * Logs a warning with its stack trace, or counts it as suppressed. Omits the messages of failures, because they may
     * repeat request content.
     */
    public void warn(String problem, Throwable cause) {
        OutOfMemory.check(cause);
        log(others -> log.warn("{}{}", problem, words(others), WithoutMessage.of(cause)));
    }

    /** Has a warning logged, or counts it as suppressed. The warning gets the number of those suppressed before it. */
    public void log(LongConsumer warning) {
        long now = clock.getAsLong();
        long next = nextNanos.get();
        if (now - next >= 0 && nextNanos.compareAndSet(next, now + PAUSE_NANOS)) {
            warning.accept(suppressed.getAndSet(0));
        } else {
            suppressed.incrementAndGet();
        }
    }

    private static String words(long others) {
        return others == 0 ? "" : " (and " + others + " more like it)";
    }

    /** A copy of a failure and its causes with type and stack trace, but without messages. Immutable. */
    @SuppressWarnings("serial")
    private static final class WithoutMessage extends Throwable {

        private static final int MAX_CAUSES = 8;

        private final String kind;

        private WithoutMessage(Throwable failure, @Nullable Throwable cause) {
            super(null, cause, false, true);
            kind = failure.getClass().getName();
            setStackTrace(failure.getStackTrace());
        }

        static WithoutMessage of(Throwable failure) {
            return of(failure, MAX_CAUSES);
        }

        private static WithoutMessage of(Throwable failure, int depth) {
            Throwable cause = failure.getCause();
            return new WithoutMessage(failure, cause == null || depth == 0 ? null : of(cause, depth - 1));
        }

        @Override
        public String getMessage() {
            return kind;
        }
    }
}
