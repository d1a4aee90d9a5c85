package io.weir.pipeline;

import io.weir.jsonrpc.RpcReply;

/** Receiver of the reply to one call. Confined to the call's event loop. */
@FunctionalInterface
public interface ReplySink {

    /** Takes the reply. Called once, on the call's event loop. */
    void accept(RpcReply reply);
}
