package io.weir.pipeline;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.jsonrpc.RequestBody;

/**
 * Runner of request bodies: runs their calls and joins the replies. A hit or a failure answers before {@link #run} returns.
 * Thread-safe.
 */
public interface RequestRunner {

    /**
     * Runs a body.
     *
     * @param caller has the right to use this runner's network
     * @param loop the event loop that the calls stay on; called on it
     * @param sink gets the answer once, on that loop
     */
    void run(RequestBody body, Caller caller, EventLoop loop, AnswerSink sink);
}
