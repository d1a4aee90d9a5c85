package io.weir.method.catalogue;

import static io.weir.method.MethodTrait.EXECUTES;
import static io.weir.method.MethodTrait.SEARCHES;

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
                trace("debug_traceBlockByHash"),
                trace("debug_traceBlockByNumber"),
                trace("debug_traceCall").with(EXECUTES),
                trace("debug_traceTransaction"),
                trace("trace_block"),
                trace("trace_call").with(EXECUTES),
                trace("trace_callMany"),
                trace("trace_filter").with(SEARCHES),
                trace("trace_get"),
                trace("trace_rawTransaction"),
                trace("trace_replayBlockTransactions"),
                trace("trace_replayTransaction"),
                trace("trace_transaction"));
    }

    private static MethodRow trace(String name) {
        return MethodRow.slow(name, COST);
    }
}
