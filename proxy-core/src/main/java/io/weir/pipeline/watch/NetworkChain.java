package io.weir.pipeline.watch;

import io.weir.chain.ChainView;
import io.weir.chain.Finality;

/**
 * Known state of one network's chain, and the watches that update it. Thread-safe.
 *
 * @param view the newest canonical blocks
 * @param finalized the final blocks
 * @param shown the blocks that nodes showed lately
 */
public record NetworkChain(
        ChainView view, Finality finalized, ChainWatch watch, FinalityWatch finality, ShownBlocks shown) {

    /**
     * Returns whether the view's block at a height stays canonical. If finality passed the block since the last check, another block
     * may have become final in its place.
     */
    public boolean isSettled(long number) {
        return finalized.covers(number) && number <= finalized.settled();
    }
}
