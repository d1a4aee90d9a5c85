package io.weir.pipeline.filter;

import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.FirstParam;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;

/** Stage that removes a filter, here and at its node. Thread-safe. */
final class UninstallFilterStage implements Stage {

    private final HeldFilters filters;
    private final HoldingNode node;

    UninstallFilterStage(HeldFilters filters, HoldingNode node) {
        this.filters = filters;
        this.node = node;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        FirstParam param = FirstParam.of(context.call().params());
        String id = param == null ? null : param.string();
        if (param == null || id == null) {
            sink.accept(FirstParam.refusal(param, "the id of a filter"));
            return;
        }
        HeldFilter filter = filters.find(id, context.caller());
        if (filter == null || !filters.end(id, filter, FilterEnding.UNINSTALLED)) {
            sink.accept(FilterRemoval.NOT_THERE);
        } else if (LostFilter.isWith(filter.upstream())) {
            sink.accept(FilterRemoval.REMOVED);
        } else {
            // Whatever the node says, the filter is no longer reachable, and the node removes it when it is idle.
            node.ask(
                    filter,
                    param,
                    context,
                    reply -> sink.accept(reply instanceof RpcReply.Result ? reply : FilterRemoval.REMOVED));
        }
    }
}
