package io.weir.subscription.node;

import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import org.jspecify.annotations.Nullable;

/**
 * Call for a subscription that is passed to a node. Immutable.
 *
 * @param call with the parameters as the client wrote them
 * @param unknown the answer if no node has a WebSocket
 * @param hash the member of a result that tells it from others, if another node goes on when the node is lost; null if the
 *     subscription ends then
 */
public record PassedCall(
        RpcCall call, RpcReply.Failure unknown, @Nullable String hash) {}
