package io.weir.transport;

import com.codahale.metrics.Counter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.weir.transport.entry.TroubleLog;
import org.slf4j.LoggerFactory;

/** Closes new connections while too many are open. Stands before the acceptor of the listening channel; confined to its loop. */
final class ConnectionLimitHandler extends ChannelInboundHandlerAdapter {

    private static final TroubleLog LOG = new TroubleLog(LoggerFactory.getLogger(ConnectionLimitHandler.class));

    private final OpenConnections open;
    private final Counter refused;

    ConnectionLimitHandler(OpenConnections open, Counter refused) {
        this.open = open;
        this.refused = refused;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof Channel child && !open.add(child)) {
            refused.inc();
            // Not registered with a loop yet: nothing but the socket itself is there to close.
            child.unsafe().closeForcibly();
            LOG.warn("connection refused: " + open.count() + " open (expected: at most server.max-connections)");
        } else {
            ctx.fireChannelRead(message);
        }
    }
}
