package io.weir.upstream.pool;

import io.weir.config.NetworkConfig.HealthConfig;
import java.util.concurrent.TimeUnit;

/**
 * Time for which a node that calls took out is not probed and so cannot come back. The first time it may come back at once.
 * If it goes out again before it has proved itself, it stays out for the {@code down-interval}. Each further time doubles
 * that, up to the {@code idle-interval}. It proves itself by answering calls and staying in for the {@code idle-interval}.
 * The delay limits the cost of a node that answers probes but not calls. It does not apply while no node is healthy.
 * Confined to the monitor's event loop.
 */
final class ReturnDelay {

    private final long firstNanos;
    private final long maxNanos;
    private boolean returned;
    private long returnedNanos;
    private long delayNanos;

    ReturnDelay(HealthConfig config) {
        maxNanos = TimeUnit.MILLISECONDS.toNanos(config.idleIntervalMillis());
        firstNanos = Math.min(maxNanos, TimeUnit.MILLISECONDS.toNanos(config.downIntervalMillis()));
    }

    /** Notes that the node came back. */
    void returned(long nowNanos) {
        returned = true;
        returnedNanos = nowNanos;
    }

    /**
     * Notes that calls took the node out. Returns the nanoseconds that it stays out at least.
     *
     * @param served whether the node answered a call since it came back
     */
    long wentOut(long nowNanos, boolean served) {
        boolean proved = !returned || (served && nowNanos - returnedNanos >= maxNanos);
        if (proved) {
            delayNanos = 0;
        } else {
            delayNanos = delayNanos == 0 ? firstNanos : Math.min(2 * delayNanos, maxNanos);
        }
        return delayNanos;
    }
}
