package io.weir.pipeline;

import io.weir.jsonrpc.RpcReply;

/** Takes what a request body is answered with. Confined to the body's event loop. */
@FunctionalInterface
public interface AnswerSink {

    /** Called once, on the body's event loop. */
    void accept(RequestAnswer answer);

    /**
     * Hears of a reply that is kept until the others of its batch are there, so that what it holds can be counted; called before
     * {@link #accept}, once for each reply of a batch.
     */
    default void keep(RpcReply reply) {}
}
