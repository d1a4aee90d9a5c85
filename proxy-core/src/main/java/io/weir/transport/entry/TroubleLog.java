package io.weir.transport.entry;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/** Warns of what may happen often: at most once a second, with the number of those left out. Thread-safe. */
public final class TroubleLog {

    private static final long PAUSE_NANOS = 1_000_000_000L;

    private final Logger log;
    private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());
    private final AtomicLong leftOut = new AtomicLong();

    public TroubleLog(Logger log) {
        this.log = log;
    }

    /** Warns, or counts. */
    public void warn(String problem) {
        if (due()) {
            log.warn("{}{}", problem, others());
        }
    }

    /** Warns with the stack, or counts. */
    public void warn(String problem, Throwable cause) {
        if (due()) {
            log.warn("{}{}", problem, others(), cause);
        }
    }

    private boolean due() {
        long now = System.nanoTime();
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
}
