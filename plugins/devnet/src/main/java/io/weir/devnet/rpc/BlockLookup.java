package io.weir.devnet.rpc;

import io.weir.devnet.chain.Chain;
import io.weir.devnet.chain.ChainBlock;
import io.weir.devnet.mining.BlockMaker;
import io.weir.devnet.parameter.BlockParameter;
import io.weir.devnet.parameter.BlockParameter.Tag;
import io.weir.devnet.parameter.Failures;
import io.weir.ethereum.Hash32;
import org.jspecify.annotations.Nullable;

/** Finds the blocks that parameters mean. Thread-safe. */
final class BlockLookup {
    private final Chain chain;
    private final BlockMaker maker;

    BlockLookup(Chain chain, BlockMaker maker) {
        this.chain = chain;
        this.maker = maker;
    }

    ChainBlock head() {
        return chain.head();
    }

    @Nullable
    ChainBlock byHash(Hash32 hash) {
        return chain.byHash(hash);
    }

    /** The block, also one that is pending; null where there is none. */
    @Nullable
    ChainBlock find(BlockParameter parameter) {
        if (parameter.hash() != null) {
            return chain.byHash(parameter.hash());
        }
        if (parameter.tag() == Tag.PENDING) {
            return maker.pending();
        }
        long number = number(parameter);
        ChainBlock block = chain.byNumber(number);
        if (block == null && chain.isForgotten(number)) {
            throw Failures.pruned();
        }
        return block;
    }

    /** The block after which a state is asked for. */
    ChainBlock require(BlockParameter parameter) {
        ChainBlock block = find(parameter);
        if (block == null) {
            throw Failures.failed(parameter.hash() == null ? "header not found" : "header for hash not found");
        }
        return block;
    }

    /** The number that a number or tag means; of a pending block, the head's. */
    long number(BlockParameter parameter) {
        if (parameter.number() != null) {
            return parameter.number();
        }
        long head = chain.head().number();
        Tag tag = parameter.tag();
        if (tag == Tag.EARLIEST) {
            return 0;
        }
        if (tag == Tag.FINALIZED) {
            return Math.max(0, head - Chain.FINALIZED_DEPTH);
        }
        return tag == Tag.SAFE ? Math.max(0, head - Chain.SAFE_DEPTH) : head;
    }
}
