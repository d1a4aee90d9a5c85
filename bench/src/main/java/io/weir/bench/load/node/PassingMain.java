package io.weir.bench.load.node;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.weir.transport.SocketTransport;

/**
 * The least that a proxy on Netty does: Netty's own HTTP codecs between each client and a connection of its own to the node. It inspects
 * nothing, and reads from one side no more than the other takes.
 *
 * <pre>
 * java -cp bench/target/weir-bench.jar io.weir.bench.load.node.PassingMain PORT
 * </pre>
 *
 * <p>The argument is the port of the node. Says {@code constant: PORT PORT} when it listens, twice the same.
 */
public final class PassingMain extends ChannelInboundHandlerAdapter {

    private static final int MAX_CHUNK = 1 << 16;

    private final Channel other;

    private PassingMain(Channel other) {
        this.other = other;
    }

    /** Listens until the process is ended. */
    public static void main(String[] args) throws InterruptedException {
        int node = Integer.parseInt(args[0]);
        int port = new ListeningLoop().listen(client -> connect(client, node));
        System.out.println("constant: " + port + " " + port);
    }

    private static void connect(Channel client, int port) {
        client.config().setAutoRead(false);
        HttpDecoderConfig decoding = new HttpDecoderConfig().setMaxChunkSize(MAX_CHUNK);
        Channel node = new Bootstrap()
                .group(client.eventLoop())
                .channel(SocketTransport.best().clientChannel())
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new PassingMain(client))
                .connect("127.0.0.1", port)
                .addListener(connected -> client.config().setAutoRead(true))
                .channel();
        node.pipeline().addFirst(new HttpClientCodec(decoding, false, false));
        client.pipeline().addLast(new HttpServerCodec(), new PassingMain(node));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        other.write(message, other.voidPromise());
        if (!other.isWritable()) {
            other.flush();
            context.channel().config().setAutoRead(other.isWritable());
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        other.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        other.config().setAutoRead(context.channel().isWritable());
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        other.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
