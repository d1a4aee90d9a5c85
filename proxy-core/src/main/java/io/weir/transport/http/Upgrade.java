package io.weir.transport.http;

import io.netty.channel.ChannelHandlerContext;

/** Takes a connection over that becomes something else than HTTP. Thread-safe. */
@FunctionalInterface
public interface Upgrade {

    /** Answers the handshake, changes the pipeline and goes on; called on the connection's event loop. */
    void take(ChannelHandlerContext ctx, ClientRequest.Handshake handshake);
}
