package io.weir.pipeline.filter;

import io.netty.channel.EventLoop;
import io.weir.access.ContractBound;
import io.weir.access.Holding;
import io.weir.jsonrpc.RawJson;
import io.weir.upstream.Upstream;
import org.jspecify.annotations.Nullable;

/**
 * Filter that a node holds for a client. Immutable.
 *
 * @param caller the name of the key that created it
 * @param holding the part of the limits that it holds
 * @param contracts that the key might reach then; null if all
 * @param upstream the node
 * @param nodeId the node's id for it, as the node wrote it
 * @param loop the event loop that created it; an idle filter is removed from there
 * @param others the filters that nodes hold, of which this is one
 */
record HeldFilter(
        String caller,
        Holding holding,
        @Nullable ContractBound contracts,
        Upstream upstream,
        RawJson nodeId,
        EventLoop loop,
        HeldFilters others)
        implements OpenFilter {

    @Override
    public void ended(String id, boolean idle) {
        others.ended(id, this, idle);
    }
}
