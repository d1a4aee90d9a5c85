package io.weir.bench.load.node;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.weir.transport.SocketTransport;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/** One event loop that listens on free ports of 127.0.0.1, with epoll where there is. Thread-safe. */
final class ListeningLoop {

    private static final int BACKLOG = 4096;

    private final SocketTransport transport = SocketTransport.best();
    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, transport.io());

    /** Listens, and returns the port. */
    int listen(Consumer<Channel> pipeline) throws InterruptedException {
        Channel listening = new ServerBootstrap()
                .group(loop)
                .channel(transport.serverChannel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        pipeline.accept(channel);
                    }
                })
                .bind("127.0.0.1", 0)
                .sync()
                .channel();
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }
}
