package io.weir.transport;

import com.codahale.metrics.Counter;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.weir.config.ServerConfig;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.metrics.RateLimitedLogger;
import io.weir.tls.ServerCertificates;
import io.weir.transport.answer.HttpAnswers;
import io.weir.transport.http.HttpPipeline;
import io.weir.transport.http2.Http2Pipeline;
import io.weir.transport.http2.Http2Pipeline.PrefaceHandler;
import io.weir.transport.request.Drain;
import io.weir.transport.request.ListenerContext;
import io.weir.transport.tls.TlsPipeline;
import io.weir.transport.websocket.WebSocketUpgrade;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** The socket for JSON-RPC over HTTP and WebSocket, and its connections. Thread-safe. */
public final class Listener implements AutoCloseable {

    private static final int BACKLOG = 4096;

    /** Milliseconds between the closes of two WebSockets at shutdown, if the time suffices. */
    private static final long WEBSOCKET_PACE_MILLIS = 5;

    private final EventLoopGroup acceptLoop;
    private final Channel socket;
    private final OpenConnections open;
    private final AtomicInteger webSockets;
    private final AtomicBoolean accepting = new AtomicBoolean(true);

    private Listener(EventLoopGroup acceptLoop, Channel socket, OpenConnections open, AtomicInteger webSockets) {
        this.acceptLoop = acceptLoop;
        this.socket = socket;
        this.open = open;
        this.webSockets = webSockets;
    }

    /**
     * Binds the socket of {@code context.config()} and serves.
     *
     * @param loops the event loops of the connections, of the same transport; the caller shuts them down
     * @param certificates secure the connections; null for plain ones
     * @throws IOException if the address is not available
     */
    public static Listener bind(
            SocketTransport transport,
            EventLoopGroup loops,
            ListenerContext context,
            @Nullable ServerCertificates certificates,
            Meters meters)
            throws IOException {
        return bind(transport, loops, context, certificates, meters, new WebSocketUpgrade(context));
    }

    /** Binds the socket with another handler of upgrades to WebSockets. */
    static Listener bind(
            SocketTransport transport,
            EventLoopGroup loops,
            ListenerContext context,
            @Nullable ServerCertificates certificates,
            Meters meters,
            HttpPipeline.Upgrade upgrade)
            throws IOException {
        ServerConfig config = context.config();
        OpenConnections open = new OpenConnections(
                config.maxConnections(), config.load().connectionsPerAddress(), context.clients()::isShared);
        meters.gauge(Meter.CONNECTIONS, open::count);
        meters.gauge(Meter.WEBSOCKETS, context.webSockets()::get);
        EventLoopGroup acceptLoop = transport.loops(1, "weir-accept");
        ChannelFuture bound = new ServerBootstrap()
                .group(acceptLoop, loops)
                .channel(transport.serverChannel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .handler(new ConnectionLimitHandler(open, meters))
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.MESSAGE_SIZE_ESTIMATOR, HttpAnswers.SIZES)
                .childHandler(initializer(context, certificates, meters, upgrade))
                .bind(config.host(), config.port())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            acceptLoop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            throw SocketTransport.unbound("server", "--port", config.host(), config.port(), bound.cause());
        }
        context.current().listen(() -> open.fireEvent(context.current().get()));
        return new Listener(acceptLoop, bound.channel(), open, context.webSockets());
    }

    private static ConnectionInitializer initializer(
            ListenerContext context,
            @Nullable ServerCertificates certificates,
            Meters meters,
            HttpPipeline.Upgrade upgrade) {
        TlsPipeline tls = certificates == null ? null : new TlsPipeline(certificates, meters, "json-rpc");
        HttpPipeline http = new HttpPipeline(context, upgrade);
        return new ConnectionInitializer(
                http,
                new Http2Pipeline(context, http, meters),
                tls,
                context.config().writeTimeoutMillis(),
                meters.counter(Meter.SLOW_READERS));
    }

    /** Returns its address with the actual port. */
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) socket.localAddress();
    }

    /** Accepts no more connections. Open ones continue. */
    public void stopAccepting() {
        // Only once: a loop that has ended may never report another close.
        if (accepting.compareAndSet(true, false)) {
            socket.close().awaitUninterruptibly();
            acceptLoop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        }
    }

    /**
     * Accepts no more connections and lets open ones answer the calls in flight and close. Closes the rest when the
     * time is over.
     *
     * @return completes when every connection has closed
     */
    public CompletableFuture<Void> drain(long millis) {
        stopAccepting();
        CompletableFuture<Void> empty = open.whenEmpty();
        open.fireEvent(new Drain(Math.min(millis / 2, webSockets.get() * WEBSOCKET_PACE_MILLIS)));
        CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(open::closeAll);
        return empty;
    }

    /** Closes the socket and every connection at once. */
    @Override
    public void close() {
        stopAccepting();
        open.closeAll();
    }

    /**
     * Closes new connections while too many are open. Runs before the acceptor of the listening channel. Confined to its
     * event loop.
     */
    private static final class ConnectionLimitHandler extends ChannelInboundHandlerAdapter {

        private static final RateLimitedLogger LOG =
                new RateLimitedLogger(LoggerFactory.getLogger(ConnectionLimitHandler.class));

        private final OpenConnections open;
        private final Counter rejected;
        private final Counter rejectedByAddress;

        ConnectionLimitHandler(OpenConnections open, Meters meters) {
            this.open = open;
            this.rejected = meters.counter(Meter.CONNECTIONS_REFUSED);
            this.rejectedByAddress = meters.counter(Meter.CONNECTIONS_REFUSED_BY_ADDRESS);
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof Channel child) {
                OpenConnections.AddOutcome outcome = open.add(child);
                if (outcome != OpenConnections.AddOutcome.COUNTED) {
                    reject(outcome);
                    // The connection is not registered with an event loop yet: only the socket itself has to be closed.
                    child.unsafe().closeForcibly();
                    return;
                }
            }
            ctx.fireChannelRead(message);
        }

        private void reject(OpenConnections.AddOutcome outcome) {
            if (outcome == OpenConnections.AddOutcome.TOO_MANY) {
                rejected.inc();
                LOG.warn("connection rejected: " + open.count() + " open (expected: at most server.max-connections)");
            } else {
                rejectedByAddress.inc();
                LOG.warn("connection rejected: one address (expected: at most server.max-connections-per-address)");
            }
        }
    }

    /** The initializer of new connections. Thread-safe. */
    static final class ConnectionInitializer extends ChannelInitializer<Channel> {

        private static final int FLUSH_AT_LATEST_AFTER = 256;

        private final HttpPipeline http;
        private final Http2Pipeline http2;
        private final @Nullable TlsPipeline tls;
        private final long writeTimeoutMillis;
        private final Counter slowReaders;

        /**
         * @param http2 serves clients that choose HTTP/2
         * @param tls secures the connections; null for plain ones
         */
        ConnectionInitializer(
                HttpPipeline http,
                Http2Pipeline http2,
                @Nullable TlsPipeline tls,
                long writeTimeoutMillis,
                Counter slowReaders) {
            this.tls = tls;
            this.http = http;
            this.http2 = http2;
            this.writeTimeoutMillis = writeTimeoutMillis;
            this.slowReaders = slowReaders;
        }

        @Override
        protected void initChannel(Channel channel) {
            channel.pipeline().addLast(new SlowReaderHandler(writeTimeoutMillis, slowReaders));
            if (tls == null) {
                installPlain(channel.pipeline());
            } else {
                tls.install(channel.pipeline(), this::installSecured);
            }
        }

        private void installPlain(ChannelPipeline pipeline) {
            pipeline.addLast(flushes(), new PrefaceHandler(http2));
            http.install(pipeline);
        }

        private void installSecured(ChannelPipeline pipeline) {
            pipeline.addLast(flushes());
            String chosen = pipeline.get(SslHandler.class).applicationProtocol();
            if (ApplicationProtocolNames.HTTP_2.equals(chosen)) {
                http2.install(pipeline);
            } else {
                http.install(pipeline);
            }
        }

        /** Answers to one read are flushed together. A later answer is rarely one of several, so it does not wait. */
        private static FlushConsolidationHandler flushes() {
            return new FlushConsolidationHandler(FLUSH_AT_LATEST_AFTER, false);
        }

        /**
         * Closes a connection whose client reads none of the bytes waiting for it. It is placed where flushes reach the socket.
         * Only a client that leaves bytes waiting needs a timer. Confined to its event loop.
         */
        private static final class SlowReaderHandler extends ChannelDuplexHandler {

            /** Number of checks within the time allowed. */
            private static final int CHECKS = 4;

            private final long timeoutNanos;
            private final Counter closed;
            private @Nullable Future<?> timer;
            private @Nullable Object waiting;
            private long waitingProgress;
            private long waitingBytes;
            private int checks;

            SlowReaderHandler(long timeoutMillis, Counter closed) {
                this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
                this.closed = closed;
            }

            @Override
            public void flush(ChannelHandlerContext ctx) {
                ctx.flush();
                ChannelOutboundBuffer out = ctx.channel().unsafe().outboundBuffer();
                if (timer == null && out != null && !out.isEmpty()) {
                    remember(out);
                    checks = 0;
                    arm(ctx);
                }
            }

            private void check(ChannelHandlerContext ctx) {
                timer = null;
                Channel channel = ctx.channel();
                ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
                if (out == null || out.isEmpty()) {
                    waiting = null;
                    return;
                }
                checks = hasMoved(out) ? 0 : checks + 1;
                if (checks < CHECKS) {
                    remember(out);
                    arm(ctx);
                } else {
                    closed.inc();
                    ctx.close();
                }
            }

            /**
             * Returns whether the client has read anything since the last check: another message is current, or part of it was
             * sent.
             */
            @SuppressWarnings("ReferenceEquality")
            private boolean hasMoved(ChannelOutboundBuffer out) {
                return out.current() != waiting
                        || out.currentProgress() != waitingProgress
                        || out.totalPendingWriteBytes() < waitingBytes;
            }

            private void remember(ChannelOutboundBuffer out) {
                waiting = out.current();
                waitingProgress = out.currentProgress();
                waitingBytes = out.totalPendingWriteBytes();
            }

            private void arm(ChannelHandlerContext ctx) {
                timer = ctx.executor().schedule(() -> check(ctx), timeoutNanos / CHECKS, TimeUnit.NANOSECONDS);
            }

            @Override
            public void channelInactive(ChannelHandlerContext ctx) {
                if (timer != null) {
                    timer.cancel(false);
                }
                ctx.fireChannelInactive();
            }
        }
    }
}
