package io.weir.upstream.pool;

import io.weir.config.NetworkConfig.HealthConfig;
import java.util.concurrent.TimeUnit;

/**
 * How long a node that calls took out is not probed, and so cannot come back. The first time it may come back at once. Where it
 * falls again before it has proved itself, by answering calls and being in for the {@code idle-interval}, it is left out for the
 * {@code down-interval}, and each further time for twice as long, up to the {@code idle-interval}: a node whose probes are good
 * and whose calls are not costs its callers little. Where no node is healthy nobody is left out so. Confined to the monitor's event loop.
 */
final class ReturnDelay {

    private final long firstNanos;
    private final long mostNanos;
    private boolean returned;
    private long returnedNanos;
    private long delayNanos;

    ReturnDelay(HealthConfig config) {
        mostNanos = TimeUnit.MILLISECONDS.toNanos(config.idleIntervalMillis());
        firstNanos = Math.min(mostNanos, TimeUnit.MILLISECONDS.toNanos(config.downIntervalMillis()));
    }

    /** Notes that the node came back. */
    void returned(long nowNanos) {
        returned = true;
        returnedNanos = nowNanos;
    }

    /**
     * Notes that calls took the node out, and says for how long it stays out at least.
     *
     * @param served whether it answered a call since it came back
     */
    long fell(long nowNanos, boolean served) {
        boolean proved = !returned || (served && nowNanos - returnedNanos >= mostNanos);
        if (proved) {
            delayNanos = 0;
        } else {
            delayNanos = delayNanos == 0 ? firstNanos : Math.min(2 * delayNanos, mostNanos);
        }
        return delayNanos;
    }
}
