package io.weir.upstream;

/**
 * What is known of a node at one moment. Immutable.
 *
 * @param head the block that it last named as its head; -1 where it named none
 * @param inFlight attempts under way
 * @param detail why it is not healthy; empty where it is; names no address or credential
 */
public record UpstreamStatus(String id, int tier, int weight, Health health, long head, long inFlight, String detail) {

    /** Whether a node is in the pool, and why not. */
    public enum Health {
        /** Not probed yet. */
        UNKNOWN,
        /** In the pool. */
        HEALTHY,
        /** Too far behind the best head. */
        LAGGING,
        /** Says itself that it is syncing. */
        SYNCING,
        /** Cannot be reached, or answers no probe. */
        DOWN,
        /** Serves another chain: never asked. */
        WRONG_CHAIN
    }
}
