package io.weir.plugin.call;

import io.weir.metrics.OutOfMemory;
import io.weir.metrics.RateLimitedLogger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of one plugin's failures: at most one a second, with the number of those suppressed. Thread-safe. */
public final class FailureLog {

    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

    private final RateLimitedLogger limited = new RateLimitedLogger(LOG);
    private final String pluginId;

    public FailureLog(String pluginId) {
        this.pluginId = pluginId;
    }

    /**
     * Logs a failure, or counts it as suppressed.
     *
     * @param what the code that failed
     */
    public void failed(String what, Throwable failure) {
        OutOfMemory.check(failure);
        limited.log(more ->
                LOG.warn("plugin {}: {} failed ({} earlier failures not logged)", pluginId, what, more, failure));
    }

    /**
     * Logs that code gave no answer in time, or counts it as suppressed.
     *
     * @param what the code that hangs
     */
    public void late(String what) {
        limited.log(more -> LOG.warn(
                "plugin {}: {} gave no answer in time ({} earlier failures not logged)", pluginId, what, more));
    }
}
