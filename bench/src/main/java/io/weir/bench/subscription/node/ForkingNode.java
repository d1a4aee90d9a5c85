package io.weir.bench.subscription.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.weir.bench.failover.FaultyLink;
import io.weir.bench.subscription.chain.Block;
import io.weir.bench.subscription.chain.ForkingChain;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A node on 127.0.0.1 that serves a chain over HTTP, and over WebSocket at the path {@code /ws}, on one port. It can be killed,
 * stalled, slowed, silenced and held back. Thread-safe.
 */
public final class ForkingNode implements NodeEndpoint, AutoCloseable {

    private static final String SOCKET_PATH = "/ws";
    private static final int MAX_REQUEST_BYTES = 1 << 20;
    private static final int BIND_ATTEMPTS = 100;

    private final String name;
    private final ForkingChain chain;
    private final EventLoopGroup loops;
    private final int port;
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final ChannelGroup subscribers = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Map<String, LongAdder> calls = new ConcurrentHashMap<>();
    private volatile Block head;
    private volatile boolean stalled;
    private volatile boolean silent;
    private volatile long delayMillis;
    private volatile int lag;
    private volatile long usedNanos;
    private volatile @Nullable Channel server;

    /**
     * Listens.
     *
     * @param port a port that stays free while the node is down
     */
    public ForkingNode(String name, ForkingChain chain, EventLoopGroup loops, int port) throws IOException {
        this.name = name;
        this.chain = chain;
        this.loops = loops;
        this.port = port;
        this.head = chain.head();
        start();
    }

    @Override
    public String toString() {
        return name;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public String socketPath() {
        return SOCKET_PATH;
    }

    /** Returns how often each method was called. */
    public Map<String, Long> calls() {
        Map<String, Long> counted = new TreeMap<>();
        calls.forEach((method, count) -> counted.put(method, count.sum()));
        return counted;
    }

    /** Returns when the node was last used for a head, on the clock of {@link System#nanoTime}; 0 if never. */
    public long usedNanos() {
        return usedNanos;
    }

    /** Returns whether the node listens and answers. */
    public boolean isUp() {
        return server != null && !stalled;
    }

    /** Closes the listener and all connections. */
    public synchronized void kill() {
        Channel listener = server;
        server = null;
        if (listener != null) {
            listener.close().syncUninterruptibly();
        }
        cut();
    }

    /** Resets all connections. The node listens on. */
    public void cut() {
        connections.forEach(FaultyLink::reset);
    }

    /** Listens again after {@link #kill}. */
    public synchronized void start() throws IOException {
        for (int attempt = 0; server == null; attempt++) {
            var binding = bootstrap()
                    .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                    .awaitUninterruptibly();
            if (binding.isSuccess()) {
                server = binding.channel();
            } else if (attempt == BIND_ATTEMPTS) {
                throw new IOException("port " + port + ": not free again", binding.cause());
            }
        }
        follow();
    }

    private ServerBootstrap bootstrap() {
        return new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connections.add(channel);
                        channel.pipeline()
                                .addLast(
                                        new HttpServerCodec(),
                                        new HttpObjectAggregator(MAX_REQUEST_BYTES),
                                        new WebSocketServerProtocolHandler(SOCKET_PATH, null, true, MAX_REQUEST_BYTES),
                                        new NodeHttpHandler(ForkingNode.this),
                                        new NodeSocketHandler(ForkingNode.this));
                    }
                });
    }

    /** Accepts calls and answers none, until {@link #resume}. */
    public void stall() {
        stalled = true;
    }

    /** Ends a stall. The connections that waited are reset. */
    public void resume() {
        stalled = false;
        cut();
        follow();
    }

    /** Answers each call after a delay. */
    public void slow(long millis) {
        delayMillis = millis;
    }

    /** Announces no blocks while silent, although subscriptions stay open. */
    public void silence(boolean on) {
        silent = on;
    }

    /** Follows the chain so many heads behind. A node never goes back in the history of the chain. */
    public void lag(int heads) {
        lag = heads;
        follow();
    }

    /** Takes over the chain's newest head, or an earlier one while it lags, and announces it. */
    public void follow() {
        Block next;
        synchronized (chain) {
            next = chain.earlier(lag);
            if (server == null || stalled || next.event() <= head.event()) {
                return;
            }
            head = next;
        }
        announce(next);
    }

    /** Announces a block, the head or an earlier one. */
    public void announce(Block block) {
        if (!silent && !subscribers.isEmpty()) {
            usedNanos = System.nanoTime();
            subscribers.writeAndFlush(new TextWebSocketFrame(Unpooled.copiedBuffer(
                    "{\"jsonrpc\":\"2.0\",\"method\":\"eth_subscription\",\"params\":{\"subscription\":\"0x1\",\"result\":"
                            + block.head() + "}}",
                    UTF_8)));
        }
    }

    NodeAnswers answers() {
        return new NodeAnswers(chain, head);
    }

    void called(String method) {
        calls.computeIfAbsent(method, each -> new LongAdder()).increment();
        if (method.equals("eth_getBlockByNumber")) {
            usedNanos = System.nanoTime();
        }
    }

    void subscribed(Channel channel, boolean on) {
        if (on) {
            usedNanos = System.nanoTime();
            subscribers.add(channel);
        } else {
            subscribers.remove(channel);
        }
    }

    /** Writes an answer, after a delay if the node is slow, and never if it is stalled. */
    void write(Channel channel, Object answer, Runnable written) {
        if (stalled) {
            ReferenceCountUtil.release(answer);
            return;
        }
        long delay = delayMillis;
        Runnable write = () -> {
            channel.writeAndFlush(answer);
            written.run();
        };
        if (delay == 0) {
            write.run();
        } else {
            channel.eventLoop().schedule(write, delay, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
