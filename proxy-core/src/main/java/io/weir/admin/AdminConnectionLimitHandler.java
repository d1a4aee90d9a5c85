package io.weir.admin;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Makes room for new connections of the admin listener. Stands before the acceptor of the listening channel; confined to the one
 * event loop of the listener.
 */
final class AdminConnectionLimitHandler extends ChannelInboundHandlerAdapter {

    private final AdminConnections connections;

    AdminConnectionLimitHandler(AdminConnections connections) {
        this.connections = connections;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof Channel child) {
            connections.add(child);
        }
        ctx.fireChannelRead(message);
    }
}
