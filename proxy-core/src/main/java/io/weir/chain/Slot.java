package io.weir.chain;

/**
 * Block at its position. The slot is replaced once the chain has left that position, even if the same block returns.
 * Immutable.
 *
 * @param stamp differs from that of any other slot at the same position; negative if the block was added below others
 */
public record Slot(BlockLink block, long stamp) {

    /** Returns whether the block was added below others, so that it may have been known before. */
    public boolean isFilled() {
        return stamp < 0;
    }
}
