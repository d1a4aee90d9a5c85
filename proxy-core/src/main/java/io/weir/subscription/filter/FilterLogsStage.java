package io.weir.subscription.filter;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.ChainCalls;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.filter.FilterTable;
import io.weir.pipeline.filter.LostFilter;

/** Stage that answers the call for all logs of a filter of the stream, by {@code eth_getLogs}. Thread-safe. */
final class FilterLogsStage implements Stage {

    private final FilterTable table;
    private final Stage calls;
    private final Stage atNode;

    /** @param calls makes calls on the network */
    FilterLogsStage(FilterTable table, Stage calls, Stage atNode) {
        this.table = table;
        this.calls = calls;
        this.atNode = atNode;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        FilterLookup found = FilterLookup.of(context, table);
        if (found == null) {
            atNode.handle(context, sink);
            return;
        }
        RawJson params = found.filter().params();
        if (params == null) {
            sink.accept(LostFilter.REPLY);
        } else {
            calls.handle(context.with(new RpcCall(context.call().id(), ChainCalls.LOGS, params)), sink);
        }
    }
}
