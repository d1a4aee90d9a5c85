package io.weir.transport;

import com.codahale.metrics.Counter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.metrics.RateLimitedLogger;
import org.slf4j.LoggerFactory;

/**
 * Closes new connections while too many are open. Runs before the acceptor of the listening channel. Confined to its
 * event loop.
 */
final class ConnectionLimitHandler extends ChannelInboundHandlerAdapter {

    private static final RateLimitedLogger LOG =
            new RateLimitedLogger(LoggerFactory.getLogger(ConnectionLimitHandler.class));

    private final OpenConnections open;
    private final Counter rejected;
    private final Counter rejectedByAddress;

    ConnectionLimitHandler(OpenConnections open, Meters meters) {
        this.open = open;
        this.rejected = meters.counter(Meter.CONNECTIONS_REFUSED);
        this.rejectedByAddress = meters.counter(Meter.CONNECTIONS_REFUSED_BY_ADDRESS);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof Channel child) {
            OpenConnections.AddOutcome outcome = open.add(child);
            if (outcome != OpenConnections.AddOutcome.COUNTED) {
                reject(outcome);
                // The connection is not registered with an event loop yet: only the socket itself has to be closed.
                child.unsafe().closeForcibly();
                return;
            }
        }
        ctx.fireChannelRead(message);
    }

    private void reject(OpenConnections.AddOutcome outcome) {
        if (outcome == OpenConnections.AddOutcome.TOO_MANY) {
            rejected.inc();
            LOG.warn("connection rejected: " + open.count() + " open (expected: at most server.max-connections)");
        } else {
            rejectedByAddress.inc();
            LOG.warn("connection rejected: one address (expected: at most server.max-connections-per-address)");
        }
    }
}
