package io.weir.pipeline;

import io.weir.jsonrpc.RpcReply;

/** Takes the reply to one call. */
@FunctionalInterface
public interface ReplySink {

    /** Called once, on the call's event loop. */
    void accept(RpcReply reply);
}
