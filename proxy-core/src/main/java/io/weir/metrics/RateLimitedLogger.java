package io.weir.metrics;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Warns of what may happen often: at most once a second, with the number of those left out. Thread-safe. */
public final class RateLimitedLogger {

    private static final long PAUSE_NANOS = 1_000_000_000L;

    private final Logger log;
    private final LongSupplier clock;
    private final AtomicLong nextNanos;
    private final AtomicLong leftOut = new AtomicLong();

    public RateLimitedLogger(Logger log) {
        this(log, System::nanoTime);
    }

    /** With a clock of nanoseconds. */
    RateLimitedLogger(Logger log, LongSupplier clock) {
        this.log = log;
        this.clock = clock;
        this.nextNanos = new AtomicLong(clock.getAsLong());
    }

    /** Warns, or counts. */
    public void warn(String problem) {
        if (due()) {
            log.warn("{}{}", problem, others());
        }
    }

    /** Warns with where it came from, or counts. What a failure says of itself is left out: it may repeat what was sent. */
    public void warn(String problem, Throwable cause) {
        OutOfMemory.check(cause);
        if (due()) {
            log.warn("{}{}", problem, others(), Wordless.of(cause));
        }
    }

    private boolean due() {
        long now = clock.getAsLong();
        long next = nextNanos.get();
        if (now - next >= 0 && nextNanos.compareAndSet(next, now + PAUSE_NANOS)) {
            return true;
        }
        leftOut.incrementAndGet();
        return false;
    }

    private String others() {
        long others = leftOut.getAndSet(0);
        return others == 0 ? "" : " (and " + others + " more like it)";
    }

    /** A failure's kind and stack, and those of its causes. */
    @SuppressWarnings("serial")
    private static final class Wordless extends Throwable {

        private static final int MAX_CAUSES = 8;

        private final String kind;

        private Wordless(Throwable failure, @Nullable Throwable cause) {
            super(null, cause, false, true);
            kind = failure.getClass().getName();
            setStackTrace(failure.getStackTrace());
        }

        static Wordless of(Throwable failure) {
            return of(failure, MAX_CAUSES);
        }

        private static Wordless of(Throwable failure, int most) {
            Throwable cause = failure.getCause();
            return new Wordless(failure, cause == null || most == 0 ? null : of(cause, most - 1));
        }

        @Override
        public String getMessage() {
            return kind;
        }
    }
}
