package io.weir.admin;

import com.codahale.metrics.Counter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Closes new connections of the admin listener while too many are open. Stands before the acceptor of the listening channel;
 * confined to the one event loop of the listener.
 */
final class AdminConnectionLimitHandler extends ChannelInboundHandlerAdapter {

    private final int most;
    private final Counter refused;
    private int open;

    AdminConnectionLimitHandler(int most, Counter refused) {
        this.most = most;
        this.refused = refused;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof Channel child) {
            if (open >= most) {
                refused.inc();
                // Not registered with a loop yet: nothing but the socket itself is there to close.
                child.unsafe().closeForcibly();
                return;
            }
            open++;
            child.closeFuture().addListener(closed -> open--);
        }
        ctx.fireChannelRead(message);
    }
}
