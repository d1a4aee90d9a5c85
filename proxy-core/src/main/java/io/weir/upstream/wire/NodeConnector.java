package io.weir.upstream.wire;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.ssl.SslContext;
import io.weir.upstream.NodeOutcome.Failed;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes connections to one node, secured where its URL says so. Where a host name has several addresses they are tried one
 * after the other, up to a bound, until one takes the connection. Thread-safe.
 */
public final class NodeConnector implements AutoCloseable {

    private static final int MAX_LINE = 4096;
    private static final int MAX_HEADERS = 1 << 15;
    private static final int MAX_CHUNK = 1 << 16;

    private final NodeAddress address;
    private final @Nullable SslContext tls;
    private final long timeoutMillis;
    private final HostResolvers resolvers;
    private final Bootstrap bootstrap;
    private final LongAdder made = new LongAdder();

    /**
     * Makes connections to an address.
     *
     * @param tls what secures them; null where the address does not ask for it
     * @param timeoutMillis for looking the host up, connecting, securing and opening together
     */
    public NodeConnector(
            NodeAddress address,
            @Nullable SslContext tls,
            Class<? extends SocketChannel> channelType,
            long timeoutMillis) {
        this(address, tls, channelType, timeoutMillis, HostResolvers.ofSystem());
    }

    NodeConnector(
            NodeAddress address,
            @Nullable SslContext tls,
            Class<? extends SocketChannel> channelType,
            long timeoutMillis,
            HostResolvers resolvers) {
        this.address = address;
        this.tls = tls;
        this.timeoutMillis = timeoutMillis;
        this.resolvers = resolvers;
        this.bootstrap = new Bootstrap()
                .channel(channelType)
                .disableResolver()
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true);
    }

    /** What a connection is made for. Confined to the connection's event loop. */
    public interface Line {
        /** Puts its handlers in place, behind TLS. */
        void addTo(ChannelPipeline pipeline);

        /** Does what is to be done before the connection can be used; begins when it is connected and secured. */
        default void open(Channel channel, Opened opened) {
            opened.ended(null);
        }

        /** Takes the channel, which is ready; from now on its end is the line's to tell. */
        void ready(Channel channel);
    }

    /** Hears how opening a connection ended; only the first time counts. */
    @FunctionalInterface
    public interface Opened {
        /**
         * Called on the connection's event loop.
         *
         * @param problem null where it ended well
         */
        void ended(@Nullable Failed problem);
    }

    /**
     * Hears once how connecting ended.
     *
     * @param <L> the kind of line
     */
    @FunctionalInterface
    public interface Listener<L> {
        /**
         * Called on the connection's event loop.
         *
         * @param line null where there is a problem
         * @param problem what failed, without an address; null where the connection is ready
         */
        void ended(@Nullable L line, @Nullable Failed problem);
    }

    /** Where a connection's buffers come from. */
    public ByteBufAllocator allocator() {
        return PooledByteBufAllocator.DEFAULT;
    }

    /** How many connections were made. */
    public long made() {
        return made.sum();
    }

    /** The bounds of answers' heads. */
    public static HttpDecoderConfig decoding() {
        return new HttpDecoderConfig()
                .setMaxInitialLineLength(MAX_LINE)
                .setMaxHeaderSize(MAX_HEADERS)
                .setMaxChunkSize(MAX_CHUNK);
    }

    /**
     * Connects, on the given loop.
     *
     * @param lines makes the line of each try; only the last one's becomes ready
     */
    public <L extends Line> void connect(EventLoop loop, Supplier<L> lines, Listener<L> listener) {
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved(address.host(), address.port());
        new Connecting<>(this, loop, lines, listener)
                .follow(resolvers.getResolver(loop).resolveAll(unresolved), timeoutMillis);
    }

    /** A bootstrap for one try. */
    Bootstrap bootstrap(EventLoop loop, Line line, long tryMillis) {
        return bootstrap
                .clone(loop)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.min(tryMillis, Integer.MAX_VALUE))
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (tls != null) {
                            channel.pipeline().addLast(tls.newHandler(allocator(), address.host(), address.port()));
                        }
                        line.addTo(channel.pipeline());
                    }
                });
    }

    void count() {
        made.increment();
    }

    @Override
    public void close() {
        resolvers.close();
    }
}
