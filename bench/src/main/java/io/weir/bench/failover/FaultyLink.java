package io.weir.bench.failover;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Link to a node on a port of its own, which can be slow, cut or silent. Thread-safe; one event loop serves its connections. */
public final class FaultyLink implements AutoCloseable {

    /** What the link does. */
    enum Mode {
        PASS,
        /** Holds each answer back. */
        SLOW,
        /** Resets every connection, also new ones. */
        CUT,
        /** Takes connections and passes nothing. */
        SILENT
    }

    private static final long SLOW_MILLIS = 400;

    private final EventLoop loop;
    private final int nodePort;
    private final Channel listener;
    private final Set<Channel> open = new HashSet<>();
    private Mode mode = Mode.PASS;

    FaultyLink(EventLoop loop, int port, int nodePort) throws InterruptedException {
        this.loop = loop;
        this.nodePort = nodePort;
        this.listener = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accepted(channel);
                    }
                })
                .bind("127.0.0.1", port)
                .sync()
                .channel();
    }

    /** Sets what it does. Connections that were cut or silent do not come back to life. */
    void set(Mode wanted) {
        loop.submit(() -> {
                    if (wanted == Mode.CUT || mode == Mode.SILENT) {
                        Set.copyOf(open).forEach(FaultyLink::reset);
                    }
                    mode = wanted;
                })
                .syncUninterruptibly();
    }

    private void accepted(Channel proxy) {
        if (mode == Mode.CUT) {
            reset(proxy);
            return;
        }
        track(proxy);
        new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.AUTO_READ, false)
                .handler(new Relay(proxy, true))
                .connect("127.0.0.1", nodePort)
                .addListener((ChannelFutureListener) connecting -> {
                    if (!connecting.isSuccess()) {
                        reset(proxy);
                        return;
                    }
                    track(connecting.channel());
                    proxy.pipeline().addLast(new Relay(connecting.channel(), false));
                    proxy.config().setAutoRead(true);
                    connecting.channel().config().setAutoRead(true);
                });
    }

    private void track(Channel channel) {
        open.add(channel);
        channel.closeFuture().addListener(closed -> open.remove(channel));
    }

    /** Resets a connection. */
    public static void reset(Channel channel) {
        try {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        } catch (ChannelException expected) {
            // The socket is closed: both sides may end a connection at the same time.
        }
        channel.close();
    }

    /** Passes what one side sends to the other one. */
    private final class Relay extends ChannelInboundHandlerAdapter {

        private final Channel other;
        private final boolean ofNode;

        private Relay(Channel other, boolean ofNode) {
            this.other = other;
            this.ofNode = ofNode;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (mode == Mode.SILENT) {
                ReferenceCountUtil.release(message);
            } else if (mode == Mode.SLOW && ofNode) {
                loop.schedule(() -> other.writeAndFlush(message), SLOW_MILLIS, TimeUnit.MILLISECONDS);
            } else {
                other.writeAndFlush(message);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            reset(other);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            reset(context.channel());
        }
    }

    @Override
    public void close() {
        set(Mode.CUT);
        listener.close().syncUninterruptibly();
    }
}
