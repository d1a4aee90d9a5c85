package io.weir.upstream.batch;

import io.netty.channel.EventLoop;
import io.weir.upstream.NodeClient;
import io.weir.upstream.wire.Message;

/** Client that can send several calls in one request. Thread-safe. */
public interface BatchCarrier extends NodeClient {

    /**
     * Sends a message as {@link #ask} sends a call. For a complete answer, the outcome is the result of {@link
     * Message#read}.
     *
     * @param anew whether over a connection that has carried nothing before, as in {@link #askAnew}
     */
    void post(EventLoop loop, Message message, boolean anew, long deadlineNanos, OutcomeSink sink);
}
