package io.weir.plugin.bulkhead;

import io.weir.metrics.OutOfMemory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of one plugin's failures: at most one a second, with the number of those suppressed. Thread-safe. */
public final class FailureLog {

    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String pluginId;
    private final LongSupplier nanoTime;
    private long lastNanos;
    private long suppressed;
    private boolean any;

    /**
     * Creates an empty log.
     *
     * @param nanoTime the time, as {@link System#nanoTime}
     */
    public FailureLog(String pluginId, LongSupplier nanoTime) {
        this.pluginId = pluginId;
        this.nanoTime = nanoTime;
    }

    /**
     * Logs a failure, or counts it as suppressed.
     *
     * @param what the code that failed
     */
    public void failed(String what, Throwable failure) {
        OutOfMemory.check(failure);
        long more = takeSuppressed();
        if (more >= 0) {
            LOG.warn("plugin {}: {} failed ({} earlier failures not logged)", pluginId, what, more, failure);
        }
    }

    /**
     * Logs that code gave no answer in time, or counts it as suppressed.
     *
     * @param what the code that hangs
     */
    public void late(String what) {
        long more = takeSuppressed();
        if (more >= 0) {
            LOG.warn("plugin {}: {} gave no answer in time ({} earlier failures not logged)", pluginId, what, more);
        }
    }

    /** Returns how many failures were suppressed before this one; -1 if this one is suppressed too. */
    private synchronized long takeSuppressed() {
        long now = nanoTime.getAsLong();
        if (any && now - lastNanos < PAUSE_NANOS) {
            suppressed++;
            return -1;
        }
        any = true;
        lastNanos = now;
        long more = suppressed;
        suppressed = 0;
        return more;
    }
}
