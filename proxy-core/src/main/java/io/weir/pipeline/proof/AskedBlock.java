package io.weir.pipeline.proof;

import io.weir.ethereum.Hash32;
import io.weir.method.params.BlockSelector;
import io.weir.verify.ProvenBlock;
import io.weir.verify.Verification;
import org.jspecify.annotations.Nullable;

/** Comparison of the header in an answer with the block that the call asks for. Pure. */
final class AskedBlock {

    private AskedBlock() {}

    /** Returns the hash by which the block is asked for; null if it is asked for otherwise. */
    static @Nullable Hash32 hash(BlockSelector asked) {
        return asked instanceof BlockSelector.Hash exact ? Hash32.fromHex(exact.hash()) : null;
    }

    /** Returns the block, unless it is asked for by another number. */
    static Verification<ProvenBlock> compare(BlockSelector asked, ProvenBlock block) {
        boolean elsewhere =
                asked instanceof BlockSelector.Height height && block.header().number() != height.number();
        return elsewhere
                ? new Verification.Wrong<>("number: another (expected: the one that was asked for)")
                : new Verification.Proven<>(block);
    }
}
