package io.weir.pipeline.range;

import io.weir.pipeline.range.RangeRefusal.Reason;

/**
 * Length of the pieces of one range. A refusal shortens it. It grows again while the logs of pieces are few compared with those of
 * others, because logs are not spread evenly; but never beyond what nodes refused for its number of blocks. Confined to the call's
 * event loop.
 */
final class PieceLength {

    private static final int EMPTY_BYTES = 2;

    private long length;
    private long limit;
    private boolean tested;
    private int mostBytes;

    /** @param tested whether a node is known to take it */
    PieceLength(long length, boolean tested) {
        this.length = length;
        this.limit = length;
        this.tested = tested;
    }

    /** Returns the present length in blocks. */
    long blocks() {
        return length;
    }

    /** Returns the length beyond which pieces are refused for their number of blocks. */
    long limit() {
        return limit;
    }

    /** Returns whether a piece of the present length was answered, so that others need not wait for it. */
    boolean isTested() {
        return tested;
    }

    /** Notes that a piece was refused. */
    void refused(RangeRefusal refusal) {
        length = Math.min(length, refusal.length());
        limit = refusal.reason() == Reason.BLOCKS ? Math.min(limit, refusal.length()) : limit;
        tested = false;
    }

    /** Notes that a piece was answered. */
    void answered(long blocks, int bytes) {
        mostBytes = Math.max(mostBytes, bytes);
        tested |= blocks >= length;
        boolean few = bytes <= EMPTY_BYTES || bytes <= mostBytes / 2;
        if (blocks >= length && few) {
            length = Math.min(limit, 2 * length);
        }
    }
}
