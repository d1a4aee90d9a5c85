package io.weir.devnet;

import io.weir.devnet.chain.Chain;
import io.weir.devnet.chain.ChainBlock;
import io.weir.devnet.history.History;
import io.weir.devnet.mining.BlockMaker;
import io.weir.devnet.mining.Mempool;
import io.weir.devnet.mining.PoolBounds;
import io.weir.devnet.rpc.LogBounds;
import io.weir.devnet.rpc.MethodTable;
import java.time.InstantSource;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** One chain with all that belongs to it: what waits, what makes its blocks, what answers. Thread-safe. */
final class Devnet {
    private final BlockMaker maker;
    private final MethodTable methods;

    /**
     * The bounds of its memory. The fixed history is always kept. Immutable.
     *
     * @param liveBlocks the last live blocks that are kept, with their states
     * @param liveBytes of these blocks as nodes exchange them
     */
    record Bounds(int liveBlocks, long liveBytes, PoolBounds pool, LogBounds logs) {
        /** Hours of blocks, and a chain that fits beside the proxy in a small heap. */
        static final Bounds USUAL =
                new Bounds(4096, 64 << 20, new PoolBounds(4096, 16 << 20, 200_000), new LogBounds(10_000, 10_000));
    }

    /** A chain that ends with the history. */
    Devnet(InstantSource clock) {
        this(Bounds.USUAL, clock);
    }

    Devnet(Bounds bounds, InstantSource clock) {
        Chain chain = new Chain(History.blocks(), bounds.liveBlocks(), bounds.liveBytes());
        Mempool pool = new Mempool(chain, bounds.pool());
        maker = new BlockMaker(chain, pool, clock);
        methods = new MethodTable(chain, pool, maker, bounds.logs());
    }

    /** Makes a live block. */
    ChainBlock mine() {
        return maker.mine();
    }

    JsonNode call(String method, JsonNode params) {
        return methods.call(method, params);
    }

    Set<String> methods() {
        return methods.names();
    }
}
