package io.weir.transport.http;

import io.netty.channel.ChannelHandlerContext;
import io.weir.transport.log.AccessLogEntry;
import org.jspecify.annotations.Nullable;

/** The takeover of a connection that switches from HTTP to another protocol. Thread-safe. */
@FunctionalInterface
public interface Upgrade {

    /**
     * Answers the handshake, changes the pipeline and continues with the new protocol. Called on the connection's event
     * loop.
     *
     * @param entry the log entry of the handshake, or null if the access log is off
     */
    void take(ChannelHandlerContext ctx, ClientRequest.Handshake handshake, @Nullable AccessLogEntry entry);
}
