package io.weir.upstream.pool;

import org.jspecify.annotations.Nullable;

/**
 * What the heads of a pool's nodes are held against: the best head of the last round, or of the one under way where that is
 * higher. So nobody gains by answering first. It sinks only at the end of a round in which every node answered, as after a
 * rollback of the chain. Confined to the monitor's event loop.
 */
final class HeadMeasure {

    private final long maxLag;
    private long last = -1;
    private long named = -1;
    private boolean whole;

    /**
     * Begins without a head.
     *
     * @param maxLag how many blocks a node may be behind
     */
    HeadMeasure(long maxLag) {
        this.maxLag = maxLag;
    }

    /** Begins a round; what an unfinished one found stays. */
    void beginRound() {
        last = best();
        named = -1;
        whole = true;
    }

    /** Takes the head that a node named in this round. */
    void named(long head) {
        named = Math.max(named, head);
    }

    /** Notes that a node gave no answer in this round. */
    void missed() {
        whole = false;
    }

    /**
     * Ends the round.
     *
     * @param others the best head of usable nodes that were not asked in it; -1 where there is none
     */
    void endRound(long others) {
        last = whole && named >= 0 ? Math.max(named, others) : best();
        named = -1;
    }

    /** Why a node with this head lags, or null where it does not. */
    @Nullable
    String lag(long head) {
        long behind = best() - head;
        return behind > maxLag ? "is " + behind + " blocks behind" : null;
    }

    private long best() {
        return Math.max(last, named);
    }
}
