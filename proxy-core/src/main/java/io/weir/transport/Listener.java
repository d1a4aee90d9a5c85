package io.weir.transport;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.weir.config.ServerConfig;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.transport.answer.HeapAnswer;
import io.weir.transport.entry.Drain;
import io.weir.transport.entry.ListenerContext;
import io.weir.transport.http.HttpPipeline;
import io.weir.transport.http.Upgrade;
import io.weir.transport.websocket.WebSocketUpgrade;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The socket that takes JSON-RPC over HTTP and WebSocket, and its connections. Thread-safe. */
public final class Listener implements AutoCloseable {

    private static final int BACKLOG = 4096;

    /** Between the ends of two WebSockets at a drain, where its time is long enough. */
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
     * Binds the socket of {@code door.config()} and serves.
     *
     * @param loops serve the connections; of the same transport, and the caller's to shut down
     * @throws IOException when the address cannot be had
     */
    public static Listener bind(SocketTransport transport, EventLoopGroup loops, ListenerContext door, Meters meters)
            throws IOException {
        return bind(transport, loops, door, meters, new WebSocketUpgrade(door));
    }

    /** As above, with another end for the WebSockets. */
    static Listener bind(
            SocketTransport transport, EventLoopGroup loops, ListenerContext door, Meters meters, Upgrade upgrade)
            throws IOException {
        ServerConfig config = door.config();
        OpenConnections open = new OpenConnections(
                config.maxConnections(), config.load().connectionsPerAddress(), door.clients()::isShared);
        meters.gauge(Meter.CONNECTIONS, open::count);
        meters.gauge(Meter.WEBSOCKETS, door.webSockets()::get);
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
                .childOption(ChannelOption.MESSAGE_SIZE_ESTIMATOR, HeapAnswer.SIZES)
                .childHandler(initializer(door, meters, upgrade))
                .bind(config.host(), config.port())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            acceptLoop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            throw new IOException(
                    "server.port: " + config.port() + " on " + config.host() + " (expected: an address that is free)",
                    bound.cause());
        }
        return new Listener(acceptLoop, bound.channel(), open, door.webSockets());
    }

    private static ConnectionInitializer initializer(ListenerContext door, Meters meters, Upgrade upgrade) {
        return new ConnectionInitializer(
                new HttpPipeline(door, upgrade),
                door.config().writeTimeoutMillis(),
                meters.counter(Meter.SLOW_READERS));
    }

    /** Where it listens; the port is the real one. */
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) socket.localAddress();
    }

    /** Takes no more connections; those that are open go on. */
    public void stopAccepting() {
        // Once: a loop that has ended may never say that it closed a socket again.
        if (accepting.compareAndSet(true, false)) {
            socket.close().awaitUninterruptibly();
            acceptLoop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        }
    }

    /**
     * Takes no more connections, has those that are open answer what is in flight and end, and closes what is left when the
     * time is over.
     *
     * @return completes when every connection has closed
     */
    public CompletableFuture<Void> drain(long millis) {
        stopAccepting();
        CompletableFuture<Void> empty = open.whenEmpty();
        open.tellAll(new Drain(Math.min(millis / 2, webSockets.get() * WEBSOCKET_PACE_MILLIS)));
        CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(open::closeAll);
        return empty;
    }

    /** Closes the socket and every connection at once. */
    @Override
    public void close() {
        stopAccepting();
        open.closeAll();
    }
}
