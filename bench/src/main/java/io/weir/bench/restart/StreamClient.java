package io.weir.bench.restart;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.ReferenceCountUtil;
import io.weir.bench.load.server.RunningServer.Target;
import org.jspecify.annotations.Nullable;

/**
 * A client that speaks HTTP/2 from the first byte of a connection. Once the proxy says that a connection goes away, later calls go
 * over another one, and those on the way are answered. A call that the proxy says it did not take is repeated. Confined to its event
 * loop.
 */
final class StreamClient {

    private final EventLoop loop;
    private final Target target;
    private @Nullable Connection current;
    private int connections;
    private int ended;
    private int repeated;

    StreamClient(EventLoop loop, Target target) {
        this.loop = loop;
        this.target = target;
    }

    /** Makes a call. */
    void call(byte[] body, StreamAnswer.Receiver receiver) {
        Connection at = current;
        if (at == null || at.goesAway) {
            at = new Connection();
            current = at;
            connections++;
        }
        at.call(body, receiver);
    }

    /** Returns how many connections it has opened. */
    int connections() {
        return connections;
    }

    /** Returns how many connections the proxy has ended. */
    int ended() {
        return ended;
    }

    /** Returns how many calls were repeated, because the proxy had not taken them. */
    int repeated() {
        return repeated;
    }

    void close() {
        if (current != null) {
            current.connecting.channel().close();
        }
    }

    /** A connection. Confined to the event loop. */
    private final class Connection extends ChannelInboundHandlerAdapter {

        private final ChannelFuture connecting;
        private boolean goesAway;

        Connection() {
            connecting = new Bootstrap()
                    .group(loop)
                    .channel(NioSocketChannel.class)
                    .option(ChannelOption.TCP_NODELAY, true)
                    .handler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline()
                                    .addLast(
                                            Http2FrameCodecBuilder.forClient().build(),
                                            new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()),
                                            Connection.this);
                        }
                    })
                    .connect("127.0.0.1", target.port());
        }

        void call(byte[] body, StreamAnswer.Receiver receiver) {
            connecting.addListener(done -> {
                if (done.isSuccess()) {
                    open(body, receiver);
                } else {
                    goesAway = true;
                    receiver.answered(null, "no connection: " + done.cause());
                }
            });
        }

        private void open(byte[] body, StreamAnswer.Receiver receiver) {
            if (goesAway) {
                StreamClient.this.call(body, receiver);
                return;
            }
            Runnable repeat = () -> {
                repeated++;
                goesAway = true;
                StreamClient.this.call(body, receiver);
            };
            new Http2StreamChannelBootstrap(connecting.channel())
                    .handler(new StreamAnswer(receiver, repeat))
                    .open()
                    .addListener(opened -> {
                        if (opened.isSuccess()) {
                            send((Http2StreamChannel) opened.getNow(), body);
                        } else {
                            receiver.answered(null, "no stream: " + opened.cause());
                        }
                    });
        }

        private void send(Http2StreamChannel stream, byte[] body) {
            Http2Headers head = new DefaultHttp2Headers()
                    .method("POST")
                    .scheme("http")
                    .authority("127.0.0.1:" + target.port())
                    .path(target.path())
                    .set("content-type", "application/json")
                    .setInt("content-length", body.length);
            stream.write(new DefaultHttp2HeadersFrame(head));
            stream.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(body), true));
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object frame) {
            if (frame instanceof Http2GoAwayFrame && !goesAway) {
                goesAway = true;
                ended++;
            }
            ReferenceCountUtil.release(frame);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            goesAway = true;
            ctx.fireChannelInactive();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }
}
