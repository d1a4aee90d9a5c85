package io.weir.config;

/**
 * Rules by which nodes that answer probes are left out for a while because of their answers to calls. Immutable.
 *
 * @param faults consecutive faults after which a node is ejected; 0 for any number
 * @param faultPercent share of attempts in the window whose failure ejects a node, in percent; 0 for any share
 * @param minCalls attempts in the window before their share counts
 * @param windowMillis time over which the share is counted
 * @param latencyFactor multiple of the median of the other nodes' latencies beyond which a node is slow; 0 for any latency
 * @param latencyMinMillis latency up to which a node is never slow
 * @param latencyForMillis time for which a node must be slow before it is ejected
 * @param timeMillis least time out, which doubles with each ejection soon after a return
 * @param maxTimeMillis upper bound of that time
 * @param maxPercent share of the nodes that may be out at once, in percent; 0 for none
 */
public record EjectionConfig(
        int faults,
        int faultPercent,
        int minCalls,
        long windowMillis,
        int latencyFactor,
        long latencyMinMillis,
        long latencyForMillis,
        long timeMillis,
        long maxTimeMillis,
        int maxPercent) {}
