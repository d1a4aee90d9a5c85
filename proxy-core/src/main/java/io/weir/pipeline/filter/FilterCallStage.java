package io.weir.pipeline.filter;

import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.FirstParam;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;

/**
 * Stage that sends a call to the node that holds a filter, with the node's own id. A node that gives no answer has not lost
 * the filter. The next call may find it, or find that the node is gone. Thread-safe.
 */
final class FilterCallStage implements Stage {

    private final HeldFilters filters;
    private final HoldingNode node;
    private final boolean forLogs;

    /** @param forLogs whether calls ask for all logs of a filter, and not for its changes */
    FilterCallStage(HeldFilters filters, HoldingNode node, boolean forLogs) {
        this.filters = filters;
        this.node = node;
        this.forLogs = forLogs;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        RpcCall call = context.call();
        FirstParam param = FirstParam.of(call.params());
        String id = param == null ? null : param.string();
        if (param == null || id == null) {
            sink.accept(FirstParam.refusal(param, "the id of a filter"));
            return;
        }
        HeldFilter filter = filters.find(id, context.caller());
        if (filter == null) {
            sink.accept(LostFilter.REPLY);
        } else if (LostFilter.isWith(filter.upstream())) {
            sink.accept(lost(id, filter));
        } else {
            node.ask(
                    filter,
                    param,
                    context,
                    reply -> sink.accept(LostFilter.isSaidBy(reply) ? missed(id, filter) : reply));
        }
    }

    /** Nodes say of filters that are not for logs that they have none of their logs: such a filter is still there. */
    private RpcReply missed(String id, HeldFilter filter) {
        return forLogs ? LostFilter.REPLY : lost(id, filter);
    }

    private RpcReply lost(String id, HeldFilter filter) {
        filters.end(id, filter, FilterEnding.LOST);
        return LostFilter.REPLY;
    }
}
