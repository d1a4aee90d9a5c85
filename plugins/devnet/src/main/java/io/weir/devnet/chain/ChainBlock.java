package io.weir.devnet.chain;

import io.weir.devnet.execution.Fork;
import io.weir.devnet.state.WorldState;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.Block;
import io.weir.ethereum.block.BlockHeader;
import java.math.BigInteger;
import java.util.List;

/**
 * A block with what is computed from it once, what came of its transactions, and the state after it. Immutable.
 *
 * @param totalDifficulty of the chain up to it
 */
public record ChainBlock(
        Block block,
        Hash32 hash,
        int sizeBytes,
        BigInteger totalDifficulty,
        List<MinedTransaction> transactions,
        WorldState state) {
    public ChainBlock {
        transactions = List.copyOf(transactions);
    }

    /** A block and what belongs to it. */
    public static ChainBlock of(
            Block block, BigInteger totalDifficulty, List<MinedTransaction> transactions, WorldState state) {
        return new ChainBlock(block, block.header().hash(), block.rlp().length, totalDifficulty, transactions, state);
    }

    /** The block's header. */
    public BlockHeader header() {
        return block.header();
    }

    /** The block's number. */
    public long number() {
        return block.header().number();
    }

    /** The rules that it was made by. */
    public Fork fork() {
        return Fork.at(number());
    }
}
