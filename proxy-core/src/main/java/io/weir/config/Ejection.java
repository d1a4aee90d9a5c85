package io.weir.config;

/** How soon nodes that answer probes are left out for a while because of their answers to calls. */
public enum Ejection {
    /** No node is left out so. */
    OFF(new Rules(0, 0, 0, 0, 0, 0)),
    /** For nodes of any kind: a burst of faults, or the distance of a node, does not cost its data. */
    ON(new Rules(3, 50, 20, 10, 1_000, 10_000)),
    /** For like nodes side by side: another one is always at hand, so a wrong ejection costs less than a few more failed or slow calls. */
    STRICT(new Rules(2, 25, 10, 5, 250, 5_000));

    @SuppressWarnings("ImmutableEnumChecker") // The record has numbers alone.
    private final Rules rules;

    Ejection(Rules rules) {
        this.rules = rules;
    }

    public Rules rules() {
        return rules;
    }

    /**
     * Limits beyond which a node is left out; 0 turns a rule off. Immutable.
     *
     * @param faults in a row
     * @param faultPercent share of the attempts of a while that failed
     * @param minCalls attempts of a while before their share counts
     * @param latencyFactor multiple of the median of the other nodes' latencies
     * @param latencyMinMillis up to which a node is never slow
     * @param latencyForMillis time for which it must be slow
     */
    public record Rules(
            int faults,
            int faultPercent,
            int minCalls,
            int latencyFactor,
            long latencyMinMillis,
            long latencyForMillis) {}
}
