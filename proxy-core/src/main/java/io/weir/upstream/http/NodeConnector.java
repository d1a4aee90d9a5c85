package io.weir.upstream.http;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Makes connections to one node, secured where its URL says so. Thread-safe. */
final class NodeConnector implements AutoCloseable {

    private static final int MAX_LINE = 4096;
    private static final int MAX_HEADERS = 1 << 15;
    private static final int MAX_CHUNK = 1 << 16;

    private final NodeAddress address;
    private final @Nullable SslContext tls;
    private final int timeoutMillis;
    private final HostResolvers resolvers = new HostResolvers();
    private final Bootstrap bootstrap;
    private final LongAdder made = new LongAdder();

    /**
     * Makes connections to an address.
     *
     * @param tls what secures them; null where the address does not ask for it
     * @param timeoutMillis for looking the host up, connecting and securing together
     */
    NodeConnector(
            NodeAddress address,
            @Nullable SslContext tls,
            Class<? extends SocketChannel> channelType,
            long timeoutMillis) {
        this.address = address;
        this.tls = tls;
        this.timeoutMillis = (int) Math.min(timeoutMillis, Integer.MAX_VALUE);
        this.bootstrap = new Bootstrap()
                .channel(channelType)
                .resolver(resolvers)
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, this.timeoutMillis)
                .remoteAddress(InetSocketAddress.createUnresolved(address.host(), address.port()));
    }

    /** Hears once how connecting ended. */
    @FunctionalInterface
    interface Listener {
        /**
         * Called on the connection's event loop.
         *
         * @param problem what failed, without an address; null where the connection is ready
         */
        void ended(@Nullable String problem);
    }

    ByteBufAllocator allocator() {
        return PooledByteBufAllocator.DEFAULT;
    }

    /** How many connections were made. */
    long made() {
        return made.sum();
    }

    /** Connects, on the given loop. */
    void connect(EventLoop loop, NodeConnectionHandler handler, Listener listener) {
        Bootstrap own = bootstrap.clone(loop).handler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                if (tls != null) {
                    channel.pipeline().addLast(tls.newHandler(allocator(), address.host(), address.port()));
                }
                channel.pipeline().addLast(new HttpResponseDecoder(decoding()), handler);
            }
        });
        ChannelFuture connected = own.connect();
        new Connecting(connected.channel(), handler, listener).follow(loop, connected);
    }

    private static HttpDecoderConfig decoding() {
        return new HttpDecoderConfig()
                .setMaxInitialLineLength(MAX_LINE)
                .setMaxHeaderSize(MAX_HEADERS)
                .setMaxChunkSize(MAX_CHUNK);
    }

    /** One connection on its way. Confined to its event loop. */
    private final class Connecting {

        private final Channel channel;
        private final NodeConnectionHandler handler;
        private final Listener listener;
        private @Nullable ScheduledFuture<?> timer;
        private boolean ended;

        Connecting(Channel channel, NodeConnectionHandler handler, Listener listener) {
            this.channel = channel;
            this.handler = handler;
            this.listener = listener;
        }

        void follow(EventLoop loop, ChannelFuture connected) {
            timer = loop.schedule(() -> end("no connection in time"), timeoutMillis, TimeUnit.MILLISECONDS);
            connected.addListener(done -> {
                if (!done.isSuccess()) {
                    end(problem(done.cause()));
                } else if (tls == null) {
                    end(null);
                } else {
                    channel.pipeline()
                            .get(SslHandler.class)
                            .handshakeFuture()
                            .addListener(shaken -> end(shaken.isSuccess() ? null : "the TLS handshake failed"));
                }
            });
        }

        private void end(@Nullable String problem) {
            if (ended) {
                return;
            }
            ended = true;
            if (timer != null) {
                timer.cancel(false);
            }
            String found = problem == null && !channel.isActive() ? "the connection broke at once" : problem;
            if (found == null) {
                made.increment();
                handler.ready(channel);
            } else {
                channel.close();
            }
            listener.ended(found);
        }
    }

    /** Messages of exceptions name addresses; these words do not. */
    private static String problem(Throwable cause) {
        if (cause instanceof ConnectTimeoutException) {
            return "no connection in time";
        }
        if (cause instanceof UnknownHostException) {
            return "the host name was not found";
        }
        return cause instanceof ConnectException ? "the connection was refused" : "no connection could be made";
    }

    @Override
    public void close() {
        resolvers.close();
    }
}
