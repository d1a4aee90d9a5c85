package io.weir.transport.http;

import io.netty.channel.ChannelHandlerContext;
import io.weir.transport.log.AccessLogEntry;
import org.jspecify.annotations.Nullable;

/** Takes a connection over that becomes something else than HTTP. Thread-safe. */
@FunctionalInterface
public interface Upgrade {

    /**
     * Answers the handshake, changes the pipeline and goes on; called on the connection's event loop.
     *
     * @param note of the handshake, where notes are taken
     */
    void take(ChannelHandlerContext ctx, ClientRequest.Handshake handshake, @Nullable AccessLogEntry note);
}
