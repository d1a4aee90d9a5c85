package io.weir.method.catalogue;

import static io.weir.method.CacheClass.TRACE;
import static io.weir.method.MethodTrait.EXECUTES;
import static io.weir.method.MethodTrait.GIVES_JSON;
import static io.weir.method.MethodTrait.SEARCHES;
import static io.weir.method.MethodTrait.TRACES;
import static io.weir.method.params.EthereumParams.BLOCK_HASH;
import static io.weir.method.params.EthereumParams.NUMBERED_BLOCK;
import static io.weir.method.params.EthereumParams.OPTIONAL_ANYTHING;
import static io.weir.method.params.EthereumParams.TRACED_BLOCK;
import static io.weir.method.params.EthereumParams.TRANSACTION_HASH;

import java.util.List;

/** The rows of the methods that trace execution or show a node's database. Pure. */
final class TraceMethods {

    private static final int COST = 20;

    private TraceMethods() {}

    static List<MethodRow> rows() {
        return List.of(
                trace("debug_getBadBlocks"),
                trace("debug_getModifiedAccountsByHash"),
                trace("debug_getModifiedAccountsByNumber"),
                trace("debug_getRawBlock"),
                trace("debug_getRawHeader"),
                trace("debug_getRawReceipts"),
                trace("debug_getRawTransaction"),
                trace("debug_storageRangeAt"),
                trace("debug_traceBlock"),
                ofBlock("debug_traceBlockByHash").takes(BLOCK_HASH, OPTIONAL_ANYTHING),
                ofBlock("debug_traceBlockByNumber").takes(NUMBERED_BLOCK, OPTIONAL_ANYTHING),
                trace("debug_traceCall").with(EXECUTES),
                ofBlock("debug_traceTransaction").takes(TRANSACTION_HASH, OPTIONAL_ANYTHING),
                ofBlock("trace_block").takes(TRACED_BLOCK, OPTIONAL_ANYTHING, OPTIONAL_ANYTHING),
                trace("trace_call").with(EXECUTES),
                trace("trace_callMany"),
                trace("trace_filter").with(SEARCHES),
                trace("trace_get"),
                trace("trace_rawTransaction"),
                ofBlock("trace_replayBlockTransactions")
                        .takes(TRACED_BLOCK, OPTIONAL_ANYTHING, OPTIONAL_ANYTHING, OPTIONAL_ANYTHING),
                ofBlock("trace_replayTransaction")
                        .takes(TRANSACTION_HASH, OPTIONAL_ANYTHING, OPTIONAL_ANYTHING, OPTIONAL_ANYTHING),
                ofBlock("trace_transaction").takes(TRANSACTION_HASH, OPTIONAL_ANYTHING, OPTIONAL_ANYTHING));
    }

    /** Begins the row of a method that traces a mined block, or a transaction in one. Options follow the block in any form. */
    private static MethodRow ofBlock(String name) {
        return trace(name).with(GIVES_JSON).cached(TRACE);
    }

    private static MethodRow trace(String name) {
        return MethodRow.slow(name, COST).with(TRACES);
    }
}
