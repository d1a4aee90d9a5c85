package io.weir.pipeline.filter;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.upstream.Upstream;

/**
 * A filter that a node holds for a client. Immutable.
 *
 * @param caller the name of the key that it was made with
 * @param upstream the node
 * @param nodeId the node's id for it, as the node wrote it
 * @param loop where it was made; from there it is given up when nobody asks any more
 */
record HeldFilter(String caller, Upstream upstream, RawJson nodeId, EventLoop loop) {}
