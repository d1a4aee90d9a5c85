package io.weir.pipeline.filter;

import io.weir.jsonrpc.RpcCall;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.FirstParam;
import io.weir.pipeline.Forwarding;
import io.weir.pipeline.ReplySink;
import io.weir.upstream.PoolView;
import io.weir.upstream.UpstreamPool;

/**
 * Forwarding to the one node that holds a filter. Thread-safe.
 *
 * @param repeatable whether a call may be sent again after the node may have executed it
 */
record HoldingNode(UpstreamPool pool, Forwarding forwarding, boolean repeatable) {

    /** Sends a call about the filter, with the node's id instead of the client's. */
    void ask(HeldFilter filter, FirstParam id, CallContext context, ReplySink sink) {
        RpcCall call = context.call();
        RpcCall translated = new RpcCall(call.id(), call.method(), id.replacedBy(filter.nodeId()));
        forwarding.over(PoolView.only(pool, filter.upstream()), repeatable).handle(context.with(translated), sink);
    }
}
