package io.weir.transport;

import com.codahale.metrics.Counter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.metrics.RateLimitedLogger;
import org.slf4j.LoggerFactory;

/** Closes new connections while too many are open. Stands before the acceptor of the listening channel; confined to its loop. */
final class ConnectionLimitHandler extends ChannelInboundHandlerAdapter {

    private static final RateLimitedLogger LOG =
            new RateLimitedLogger(LoggerFactory.getLogger(ConnectionLimitHandler.class));

    private final OpenConnections open;
    private final Counter refused;
    private final Counter refusedByAddress;

    ConnectionLimitHandler(OpenConnections open, Meters meters) {
        this.open = open;
        this.refused = meters.counter(Meter.CONNECTIONS_REFUSED);
        this.refusedByAddress = meters.counter(Meter.CONNECTIONS_REFUSED_BY_ADDRESS);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof Channel child) {
            OpenConnections.Verdict verdict = open.add(child);
            if (verdict != OpenConnections.Verdict.WELCOME) {
                refuse(verdict);
                // Not registered with a loop yet: nothing but the socket itself is there to close.
                child.unsafe().closeForcibly();
                return;
            }
        }
        ctx.fireChannelRead(message);
    }

    private void refuse(OpenConnections.Verdict verdict) {
        if (verdict == OpenConnections.Verdict.TOO_MANY) {
            refused.inc();
            LOG.warn("connection refused: " + open.count() + " open (expected: at most server.max-connections)");
        } else {
            refusedByAddress.inc();
            LOG.warn("connection refused: one address (expected: at most server.max-connections-per-address)");
        }
    }
}
