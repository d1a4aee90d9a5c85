package io.weir.devnet;

import io.weir.devnet.chain.Chain;
import io.weir.devnet.chain.ChainBlock;
import io.weir.devnet.history.History;
import io.weir.devnet.mining.BlockMaker;
import io.weir.devnet.mining.Mempool;
import io.weir.devnet.rpc.MethodTable;
import java.time.InstantSource;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** One chain with all that belongs to it: what waits, what makes its blocks, what answers. Thread-safe. */
final class Devnet {
    private final BlockMaker maker;
    private final MethodTable methods;

    /** A chain that ends with the history. */
    Devnet(DevnetSettings settings, InstantSource clock) {
        Chain chain = new Chain(History.blocks(), settings.maxLiveBlocks(), settings.maxLiveBytes());
        Mempool pool = new Mempool(chain, settings.poolBounds());
        maker = new BlockMaker(chain, pool, clock);
        methods = new MethodTable(chain, pool, maker, settings.logBounds());
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
