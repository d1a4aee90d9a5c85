package io.weir.config;

/**
 * Rules by which nodes that answer probes are left out for a while because of their answers to calls. A limit of 0 turns its rule off.
 */
public enum Ejection {
    /** No node is left out so. */
    OFF(0, 0, 0, 0, 0, 0),
    /** For nodes of any kind: a burst of faults, or the distance of a node, does not cost its data. */
    ON(3, 50, 20, 10, 1_000, 10_000),
    /** For like nodes side by side: another one is always at hand, so a wrong ejection costs less than a few more failed or slow calls. */
    STRICT(2, 25, 10, 5, 250, 5_000);

    private final int faults;
    private final int faultPercent;
    private final int minCalls;
    private final int latencyFactor;
    private final long latencyMinMillis;
    private final long latencyForMillis;

    Ejection(
            int faults,
            int faultPercent,
            int minCalls,
            int latencyFactor,
            long latencyMinMillis,
            long latencyForMillis) {
        this.faults = faults;
        this.faultPercent = faultPercent;
        this.minCalls = minCalls;
        this.latencyFactor = latencyFactor;
        this.latencyMinMillis = latencyMinMillis;
        this.latencyForMillis = latencyForMillis;
    }

    /** Returns the consecutive faults after which a node is ejected. */
    public int faults() {
        return faults;
    }

    /** Returns the share of the attempts of a while whose failure ejects a node, in percent. */
    public int faultPercent() {
        return faultPercent;
    }

    /** Returns the attempts of a while before their share counts. */
    public int minCalls() {
        return minCalls;
    }

    /** Returns the multiple of the median of the other nodes' latencies beyond which a node is slow. */
    public int latencyFactor() {
        return latencyFactor;
    }

    /** Returns the latency up to which a node is never slow. */
    public long latencyMinMillis() {
        return latencyMinMillis;
    }

    /** Returns the time for which a node must be slow before it is ejected. */
    public long latencyForMillis() {
        return latencyForMillis;
    }
}
