package io.weir.bench.head;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;

/** The WebSocket of a scripted node on 127.0.0.1, over which it answers calls and announces blocks. Thread-safe. */
final class AnnouncingSocket implements AutoCloseable {

    private static final int MAX_REQUEST_BYTES = 1 << 16;

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ChannelGroup subscribers = new DefaultChannelGroup(loops.next());
    private final Channel server;

    /**
     * Listens on a free port.
     *
     * @param answers the answer to a call, both as bytes
     */
    AnnouncingSocket(UnaryOperator<byte[]> answers) {
        Calls calls = new Calls(answers);
        server = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        new HttpServerCodec(),
                                        new HttpObjectAggregator(MAX_REQUEST_BYTES),
                                        new WebSocketServerProtocolHandler("/"),
                                        calls);
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .syncUninterruptibly()
                .channel();
    }

    int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    /** Announces a block. */
    void announce(byte[] block) {
        subscribers.writeAndFlush(new TextWebSocketFrame(Unpooled.wrappedBuffer(
                "{\"jsonrpc\":\"2.0\",\"method\":\"eth_subscription\",\"params\":{\"subscription\":\"0x1\",\"result\":"
                        .getBytes(UTF_8),
                block,
                "}}".getBytes(UTF_8))));
    }

    @Override
    public void close() {
        server.close();
        loops.shutdownGracefully();
    }

    /** Answers to calls. Thread-safe. */
    @Sharable
    private final class Calls extends SimpleChannelInboundHandler<TextWebSocketFrame> {

        private final UnaryOperator<byte[]> answers;

        Calls(UnaryOperator<byte[]> answers) {
            this.answers = answers;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, TextWebSocketFrame frame) {
            byte[] call = ByteBufUtil.getBytes(frame.content());
            ctx.writeAndFlush(new TextWebSocketFrame(Unpooled.wrappedBuffer(answers.apply(call))));
            if (new String(call, UTF_8).contains("\"eth_subscribe\"")) {
                subscribers.add(ctx.channel());
            }
        }

        /** The proxy ends at the end of a run. */
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }
}
