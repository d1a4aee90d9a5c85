package io.weir.bench.subscription.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.net.URI;

/** A WebSocket to the proxy. Its listener is called on the event loop of the socket. Confined to this event loop. */
public final class ClientSocket {

    private static final int MAX_MESSAGE_BYTES = 16 << 20;

    /** User of a socket. Confined to the event loop of the socket. */
    public interface Listener {

        /** The socket is open. */
        void opened(ClientSocket socket);

        /** A message has come. */
        void message(String text);

        /** The other side, or an error, has ended the socket. */
        void closed(String reason);
    }

    private final Channel channel;

    private ClientSocket(Channel channel) {
        this.channel = channel;
    }

    /** Opens a socket. */
    public static void open(EventLoopGroup loops, URI proxy, Listener listener) {
        WebSocketClientProtocolConfig config = WebSocketClientProtocolConfig.newBuilder()
                .webSocketUri(proxy)
                .maxFramePayloadLength(MAX_MESSAGE_BYTES)
                .handleCloseFrames(false)
                .build();
        ChannelFuture connecting = new Bootstrap()
                .group(loops)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(new HttpClientCodec(), new HttpObjectAggregator(1 << 16))
                                .addLast(new WebSocketClientProtocolHandler(config), new Messages(listener));
                    }
                })
                .connect(proxy.getHost(), proxy.getPort());
        connecting.addListener(done -> {
            if (!done.isSuccess()) {
                listener.closed(String.valueOf(done.cause()));
            }
        });
    }

    /** Sends a message. */
    public void send(String text) {
        channel.writeAndFlush(new TextWebSocketFrame(text));
    }

    /** Runs a task on the event loop of the socket. */
    public void execute(Runnable task) {
        channel.eventLoop().execute(task);
    }

    /** Starts or stops reading. */
    public void reading(boolean on) {
        channel.config().setAutoRead(on);
    }

    /** Closes the socket. The listener hears of it. */
    public void close() {
        channel.close();
    }

    /** Messages of a socket. Confined to its event loop. */
    private static final class Messages extends SimpleChannelInboundHandler<WebSocketFrame> {

        private final Listener listener;
        private String reason = "no close frame";

        Messages(Listener listener) {
            this.listener = listener;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
                listener.opened(new ClientSocket(ctx.channel()));
            }
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, WebSocketFrame frame) {
            if (frame instanceof TextWebSocketFrame text) {
                listener.message(text.content().toString(UTF_8));
            } else if (frame instanceof CloseWebSocketFrame close) {
                reason = close.statusCode() + " " + close.reasonText();
                ctx.close();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            listener.closed(reason);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            reason = String.valueOf(cause);
            ctx.close();
        }
    }
}
