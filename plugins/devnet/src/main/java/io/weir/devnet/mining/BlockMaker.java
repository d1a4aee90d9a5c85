package io.weir.devnet.mining;

import io.weir.devnet.chain.BlockAssembler;
import io.weir.devnet.chain.BlockPlan;
import io.weir.devnet.chain.Chain;
import io.weir.devnet.chain.ChainBlock;
import io.weir.devnet.chain.Fees;
import io.weir.devnet.chain.SentTransaction;
import io.weir.ethereum.Hash32;
import java.math.BigInteger;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes the block after the head of what waits, to be appended or only looked at. Thread-safe. */
public final class BlockMaker {
    private final Chain chain;
    private final Mempool pool;
    private final InstantSource clock;
    private volatile @Nullable Preview preview;

    /** A block that was looked at, and of what it was made. */
    private record Preview(Hash32 head, long poolVersion, ChainBlock block) {}

    public BlockMaker(Chain chain, Mempool pool, InstantSource clock) {
        this.chain = chain;
        this.pool = pool;
        this.clock = clock;
    }

    /** Makes a block and appends it. */
    public synchronized ChainBlock mine() {
        ChainBlock block = assemble(chain.head());
        chain.append(block);
        pool.prune(block);
        return block;
    }

    /** The block as it would be made now: what the tag {@code pending} shows. */
    public ChainBlock pending() {
        ChainBlock head = chain.head();
        long version = pool.version();
        Preview known = preview;
        if (known == null || !known.head().equals(head.hash()) || known.poolVersion() != version) {
            known = new Preview(head.hash(), version, assemble(head));
            preview = known;
        }
        return known.block();
    }

    private ChainBlock assemble(ChainBlock head) {
        long now = clock.instant().getEpochSecond();
        BlockPlan plan = BlockPlan.at(Math.max(now, head.header().timestamp() + 1));
        BlockAssembler assembler = new BlockAssembler(head, plan);
        BigInteger baseFee = Objects.requireNonNull(Fees.nextBaseFee(head.header()));
        for (SentTransaction sent : pool.executable(head.state(), baseFee)) {
            assembler.add(sent);
        }
        return assembler.seal();
    }
}
