package io.weir.plugin.bulkhead;

import io.weir.metrics.OutOfMemory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs one plugin's failures, at most one each second and with the number of those left out between. Thread-safe. */
public final class FailureLog {

    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String pluginId;
    private final LongSupplier nanoTime;
    private long lastNanos;
    private long leftOut;
    private boolean any;

    /**
     * Has logged nothing yet.
     *
     * @param nanoTime the time, as {@link System#nanoTime}
     */
    public FailureLog(String pluginId, LongSupplier nanoTime) {
        this.pluginId = pluginId;
        this.nanoTime = nanoTime;
    }

    /**
     * Logs a failure, or counts it.
     *
     * @param what what was called
     */
    public void failed(String what, Throwable failure) {
        OutOfMemory.check(failure);
        long more;
        synchronized (this) {
            long now = nanoTime.getAsLong();
            if (any && now - lastNanos < PAUSE_NANOS) {
                leftOut++;
                return;
            }
            any = true;
            lastNanos = now;
            more = leftOut;
            leftOut = 0;
        }
        LOG.warn("plugin {}: {} failed ({} failures before not logged)", pluginId, what, more, failure);
    }
}
