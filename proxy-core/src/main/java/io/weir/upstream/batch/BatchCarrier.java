package io.weir.upstream.batch;

import io.netty.channel.EventLoop;
import io.weir.upstream.NodeClient;
import io.weir.upstream.wire.Message;

/** A client that can send more than one call in one request. Thread-safe. */
public interface BatchCarrier extends NodeClient {

    /**
     * Sends a message as {@link #ask} sends a call. Where a whole answer came, the outcome is what {@link Message#read} made of
     * it.
     *
     * @param anew whether over a connection that carried nothing before, as in {@link #askAnew}
     */
    void post(EventLoop loop, Message message, boolean anew, long deadlineNanos, OutcomeSink sink);
}
