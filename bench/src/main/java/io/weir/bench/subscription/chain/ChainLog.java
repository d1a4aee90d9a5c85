package io.weir.bench.subscription.chain;

import io.weir.ethereum.block.Log;
import org.jspecify.annotations.Nullable;

/**
 * A log with its place in the chain. Immutable.
 *
 * @param index in the block
 * @param transaction the index of its transaction
 */
public record ChainLog(Block block, int index, int transaction, Log log) {

    /** Returns the log as nodes show it. */
    public String json(boolean removed) {
        return block.json(this, removed);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ChainLog log && log.block.equals(block) && log.index == index;
    }

    @Override
    public int hashCode() {
        return 31 * block.hashCode() + index;
    }

    @Override
    public String toString() {
        return "log " + index + " of block " + block;
    }
}
