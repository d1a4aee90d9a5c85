package io.weir.admin;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Registers new connections of the admin listener, which closes others over the limit. Runs before the acceptor of the
 * listening channel. Confined to the listener's only event loop.
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
