package io.weir.bench.load.drive;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.weir.bench.load.server.RunningServer.Target;
import io.weir.transport.SocketTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Opens the connections of a load, and closes them. Confined to its event loop. */
final class Opening {

    private static final int MAX_BYTES = 64 << 20;
    private static final byte[] END = "\r\n\r\n".getBytes(US_ASCII);

    private final SocketTransport transport;
    private final EventLoopGroup loop;
    private final Target target;
    private final boolean webSocket;
    private final byte[] head;
    private final List<Channel> channels = new ArrayList<>();

    Opening(SocketTransport transport, EventLoopGroup loop, Target target, boolean webSocket) {
        this.transport = transport;
        this.loop = loop;
        this.target = target;
        this.webSocket = webSocket;
        this.head = ("POST " + target.path() + " HTTP/1.1\r\nHost: 127.0.0.1:" + target.port()
                        + "\r\nContent-Type: application/json\r\nContent-Length: ")
                .getBytes(US_ASCII);
    }

    /** Opens one; what comes back is heard on the event loop. */
    CompletableFuture<DriverConnection> open(DriverConnection.Answered answered) {
        CompletableFuture<DriverConnection> ready = new CompletableFuture<>();
        ChannelFuture connecting = new Bootstrap()
                .group(loop)
                .channel(transport.clientChannel())
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        pipeline(channel, answered, ready);
                    }
                })
                .connect("127.0.0.1", target.port());
        channels.add(connecting.channel());
        connecting.addListener(done -> {
            if (!done.isSuccess()) {
                ready.completeExceptionally(done.cause());
            }
        });
        return ready;
    }

    private void pipeline(
            Channel channel, DriverConnection.Answered answered, CompletableFuture<DriverConnection> ready) {
        if (webSocket) {
            WebSocketClientProtocolConfig config = WebSocketClientProtocolConfig.newBuilder()
                    .webSocketUri("ws://127.0.0.1:" + target.port() + target.path())
                    .maxFramePayloadLength(MAX_BYTES)
                    .build();
            channel.pipeline()
                    .addLast(new HttpClientCodec(), new HttpObjectAggregator(MAX_BYTES))
                    .addLast(new WebSocketClientProtocolHandler(config), new WebSocketFrameAggregator(MAX_BYTES))
                    .addLast(
                            new MessageAnswerHandler(new DriverConnection(channel, Opening::message, answered), ready));
        } else {
            channel.pipeline()
                    .addLast(new HttpAnswerHandler(new DriverConnection(channel, this::post, answered), ready));
        }
    }

    private static void message(Channel channel, byte[] body) {
        channel.writeAndFlush(new TextWebSocketFrame(Unpooled.wrappedBuffer(body)));
    }

    private void post(Channel channel, byte[] body) {
        byte[] length = Integer.toString(body.length).getBytes(US_ASCII);
        ByteBuf buffer = channel.alloc().buffer(head.length + length.length + END.length + body.length);
        buffer.writeBytes(head).writeBytes(length).writeBytes(END).writeBytes(body);
        channel.writeAndFlush(buffer, channel.voidPromise());
    }

    void closeAll() {
        channels.forEach(Channel::close);
    }
}
