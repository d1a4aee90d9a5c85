package io.weir.pipeline;

import io.weir.jsonrpc.RpcReply;

/** Receiver of the answer to one request body. Confined to the body's event loop. */
@FunctionalInterface
public interface AnswerSink extends ClientPresence {

    /** Takes the answer. Called once, on the body's event loop. */
    void accept(RequestAnswer answer);

    /**
     * Takes note of a reply that waits for the others of its batch, so that its bytes can be counted. Called once for each reply of
     * a batch, before {@link #accept}.
     *
     * @return the reply, or the one in its place if there is no room for it
     */
    default RpcReply keep(RpcReply reply) {
        return reply;
    }

    @Override
    default void whenClientLeaves(Runnable action) {}
}
