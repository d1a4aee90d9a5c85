package io.weir.upstream.batch;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.NodeClient;
import io.weir.upstream.wire.Message;

/** Client that can send several calls in one request. Thread-safe. */
public interface BatchCarrier extends NodeClient {

    /** Returns the part of the client that sends from one event loop. May be called on any thread. */
    OfLoop of(EventLoop loop);

    /** Part of a client that sends from one event loop. Confined to that loop. */
    interface OfLoop {

        /** Sends a call as {@link NodeClient#ask}. */
        void ask(RpcCall call, long deadlineNanos, OutcomeSink sink);

        /**
         * Sends a message as {@link #ask} sends a call. For a complete answer, the outcome is the result of {@link
         * Message#read}.
         *
         * @param anew whether over a connection that has carried nothing before, as in {@link NodeClient#askAnew}
         */
        void post(Message message, boolean anew, long deadlineNanos, OutcomeSink sink);
    }
}
