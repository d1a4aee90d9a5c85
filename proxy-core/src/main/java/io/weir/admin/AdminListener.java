package io.weir.admin;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.weir.config.AdminConfig;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.tls.ServerCertificates;
import io.weir.transport.SocketTransport;
import io.weir.transport.request.LingeringCloseHandler;
import io.weir.transport.tls.TlsPipeline;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The admin listener. Its own event loop answers health checks and metrics while the proxy's event loops are busy.
 * Thread-safe.
 */
public final class AdminListener implements AutoCloseable {

    private static final int MAX_BODY = 1024 * 1024;
    private static final int IDLE_SECONDS = 60;
    /** Maximum of requests waiting on one connection. More close the connection. */
    private static final int MAX_PIPELINED = 512;

    /** Maximum of header lines in one request. A line costs memory however short it is. */
    private static final int MAX_HEADER_LINES = 100;

    private static final int MAX_CONNECTIONS = 64;

    private final EventLoopGroup loops;
    private final Channel channel;

    private AdminListener(EventLoopGroup loops, Channel channel) {
        this.loops = loops;
        this.channel = channel;
    }

    /**
     * Binds the listener.
     *
     * @param certificates secure the connections; null for plain ones
     * @throws IOException if the address is not available
     */
    public static AdminListener bind(
            AdminConfig config,
            SocketTransport transport,
            AdminRoutes routes,
            @Nullable ServerCertificates certificates,
            Meters meters)
            throws IOException {
        EventLoopGroup loops = transport.loops(1, "weir-admin");
        AdminConnections connections =
                new AdminConnections(MAX_CONNECTIONS, meters.counter(Meter.ADMIN_CONNECTIONS_REFUSED));
        TlsPipeline tls = certificates == null ? null : new TlsPipeline(certificates, meters, "admin");
        Consumer<ChannelPipeline> http = pipeline -> pipeline.addLast(new ReadTimeoutHandler(IDLE_SECONDS))
                .addLast(new HttpServerCodec(AdminHeaders.bounded(MAX_HEADER_LINES), MAX_PIPELINED))
                .addLast(new HttpServerKeepAliveHandler())
                .addLast(new AdminBodyHandler(MAX_BODY))
                .addLast(new AdminRequestHandler(routes, connections));
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(transport.serverChannel())
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel socket) {
                        connections.add(socket);
                        if (tls == null) {
                            http.accept(socket.pipeline());
                        } else {
                            tls.install(socket.pipeline(), http);
                        }
                    }
                })
                .bind(config.host(), config.port())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            throw SocketTransport.unbound("admin", "--admin-port", config.host(), config.port(), bound.cause());
        }
        loops.scheduleAtFixedRate(routes::sample, 1, 1, TimeUnit.MINUTES);
        return new AdminListener(loops, bound.channel());
    }

    public InetSocketAddress localAddress() {
        return (InetSocketAddress) channel.localAddress();
    }

    @Override
    public void close() {
        channel.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    /** Header or trailer lines of a request to the admin listener, within a bound. Confined to its event loop. */
    static final class AdminHeaders extends DefaultHttpHeaders {

        private final int maxLines;
        private int lines;

        private AdminHeaders(int maxLines) {
            this.maxLines = maxLines;
        }

        /** Returns the configuration of a decoder that accepts no more lines than allowed. */
        static HttpDecoderConfig bounded(int maxLines) {
            HttpHeadersFactory factory = new HttpHeadersFactory() {
                @Override
                public HttpHeaders newHeaders() {
                    return new AdminHeaders(maxLines);
                }

                @Override
                public HttpHeaders newEmptyHeaders() {
                    return new AdminHeaders(maxLines);
                }
            };
            return new HttpDecoderConfig().setHeadersFactory(factory).setTrailersFactory(factory);
        }

        @Override
        public HttpHeaders add(CharSequence name, Object value) {
            if (++lines > maxLines) {
                throw new TooLongHttpHeaderException("headers: too many lines (expected: at most " + maxLines + ")");
            }
            return super.add(name, value);
        }
    }

    /**
     * Collects the requests of the admin listener and closes a connection whose request is too large. Confined to its event
     * loop.
     */
    static final class AdminBodyHandler extends HttpObjectAggregator {

        AdminBodyHandler(int maxBytes) {
            super(maxBytes, true);
        }

        @Override
        protected void handleOversizedMessage(ChannelHandlerContext ctx, HttpMessage oversized) {
            FullHttpResponse tooLarge = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, Unpooled.EMPTY_BUFFER);
            tooLarge.headers()
                    .setInt(HttpHeaderNames.CONTENT_LENGTH, 0)
                    .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            // Bypasses the handler that would close at once. With an immediate close, the client's remaining bytes
            // would
            // cause a reset that destroys the answer.
            ctx.pipeline()
                    .context(HttpServerKeepAliveHandler.class)
                    .writeAndFlush(tooLarge)
                    .addListener(written -> LingeringCloseHandler.close(ctx));
        }
    }
}
