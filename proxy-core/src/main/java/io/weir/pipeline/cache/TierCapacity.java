package io.weir.pipeline.cache;

/** Results that one search may offer to the tiers, so that their queues have capacity for others. Confined to one thread. */
public final class TierCapacity {

    private long results;
    private long bytes;
    private boolean exceeded;

    TierCapacity(long results, long bytes) {
        this.results = results;
        this.bytes = bytes;
    }

    /** Returns a capacity for any number of results. */
    public static TierCapacity unlimited() {
        return new TierCapacity(Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** Takes capacity for a result; returns false if none is left. The last result may be larger than what is left. */
    public boolean tryTake(long size) {
        if (results <= 0 || bytes <= 0) {
            exceeded = true;
            return false;
        }
        results--;
        bytes -= size;
        return true;
    }

    /** Returns whether a result found no capacity. */
    public boolean isExceeded() {
        return exceeded;
    }
}
