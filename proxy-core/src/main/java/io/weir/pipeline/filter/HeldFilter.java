package io.weir.pipeline.filter;

import io.netty.channel.EventLoop;
import io.weir.access.Holding;
import io.weir.jsonrpc.RawJson;
import io.weir.upstream.Upstream;

/**
 * Filter that a node holds for a client. Immutable.
 *
 * @param holding the part of the limits that it holds
 * @param upstream the node
 * @param nodeId the node's id for it, as the node wrote it
 * @param loop the event loop that created it; an idle filter is removed from there
 * @param others the filters that nodes hold, of which this is one
 */
record HeldFilter(Holding holding, Upstream upstream, RawJson nodeId, EventLoop loop, HeldFilters others)
        implements OpenFilter {

    @Override
    public void ended(String id, boolean idle) {
        others.ended(id, this, idle);
    }
}
