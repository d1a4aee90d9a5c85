package io.weir.upstream.link;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.NotYetConnectedException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connector to one node, with TLS if its URL asks for it. If a host name has several addresses, a bounded number of them is
 * tried one after the other until one accepts. Thread-safe.
 */
final class NodeConnector implements AutoCloseable {

    /** Longest time until a connection can be used: ten times that of a distant node, and short beside the deadline of a call. */
    static final long TIMEOUT_MILLIS = 2_000;

    /** Time after which an unused connection is closed: below the idle time of the usual nodes and balancers. */
    static final long IDLE_MILLIS = 30_000;

    /** Time after which a changed address is followed: in the DNS it is changed some time before the old one is given up. */
    static final long RENEW_MILLIS = TimeUnit.MINUTES.toMillis(5);

    private static final int MAX_LINE = 4096;
    private static final int MAX_HEADERS = 1 << 15;
    static final int MAX_CHUNK = 1 << 16;
    private final NodeAddress address;
    private final @Nullable Supplier<SslContext> tls;
    private final long timeoutMillis;
    private final HostResolvers resolvers;
    private final Bootstrap bootstrap;
    private final LongAdder made = new LongAdder();

    /**
     * Creates a connector to an address.
     *
     * @param timeoutMillis for host lookup, connecting, TLS and protocol handshake together
     * @param resolvers find the addresses of the host; closed with the connector
     */
    NodeConnector(
            NodeAddress address,
            @Nullable Supplier<SslContext> tls,
            Class<? extends SocketChannel> channelType,
            long timeoutMillis,
            HostResolvers resolvers) {
        this.address = address;
        this.tls = address.tls() ? Objects.requireNonNull(tls, "tls") : null;
        this.timeoutMillis = timeoutMillis;
        this.resolvers = resolvers;
        this.bootstrap = new Bootstrap()
                .channel(channelType)
                .disableResolver()
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true);
    }

    /** User of a connection. Confined to the connection's event loop. */
    interface Line {
        /** Adds its handlers behind TLS. */
        void addTo(ChannelPipeline pipeline);

        /**
         * Prepares the connection for use; begins when it is connected and secured.
         *
         * @param opened takes the problem, null on success, on the connection's event loop; only the first counts
         */
        default void open(Channel channel, Consumer<@Nullable Failed> opened) {
            opened.accept(null);
        }

        /** Takes over the ready channel and reports its end from now on. */
        void ready(Channel channel);
    }

    long made() {
        return made.sum();
    }

    /**
     * Returns whether a failure means that the connection broke, by a reset or a broken TLS record. All else is a failure of the proxy, or
     * of a message.
     */
    static boolean isBroken(Throwable failure) {
        return failure instanceof IOException
                || failure instanceof NotYetConnectedException
                || (failure instanceof DecoderException && failure.getCause() instanceof IOException);
    }

    /** Returns the limits of answers' heads. */
    static HttpDecoderConfig decoding() {
        return new HttpDecoderConfig()
                .setMaxInitialLineLength(MAX_LINE)
                .setMaxHeaderSize(MAX_HEADERS)
                .setMaxChunkSize(MAX_CHUNK);
    }

    /**
     * Connects on the given loop.
     *
     * @param lines creates the line of each try; only the last try's becomes ready
     * @param listener takes, once and on the loop, the line that is ready, or the failure without an address
     */
    <L extends Line> void connect(
            EventLoop loop, Supplier<L> lines, BiConsumer<@Nullable L, @Nullable Failed> listener) {
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved(address.host(), address.port());
        new Connecting<>(loop, lines, listener)
                .follow(resolvers.getResolver(loop).resolveAll(unresolved), timeoutMillis);
    }

    /** Runs an action on a connection's event loop if the node's name leads to other addresses than the connection's. */
    void ifMoved(Channel connection, Runnable moved) {
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved(address.host(), address.port());
        Future<List<InetSocketAddress>> resolved =
                resolvers.getResolver(connection.eventLoop()).resolveAll(unresolved);
        resolved.addListener(done -> {
            if (done.isSuccess() && connection.isActive() && !resolved.getNow().contains(connection.remoteAddress())) {
                moved.run();
            }
        });
    }

    private Bootstrap bootstrap(EventLoop loop, Line line, long tryMillis) {
        return bootstrap
                .clone(loop)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.min(tryMillis, Integer.MAX_VALUE))
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (tls != null) {
                            channel.pipeline()
                                    .addLast(tls.get().newHandler(channel.alloc(), address.host(), address.port()));
                        }
                        line.addTo(channel.pipeline());
                    }
                });
    }

    @Override
    public void close() {
        resolvers.close();
    }

    /**
     * Connection in the making: host lookup, connect to one of its addresses, TLS, protocol handshake. Ends once, within its
     * deadline. Confined to its event loop.
     */
    private final class Connecting<L extends Line> {

        /** A name with more addresses than this belongs to a load balancer; a few attempts are enough. */
        private static final int MAX_ADDRESSES = 4;

        private static final Failed LATE = problem("no connection in time");

        private final EventLoop loop;
        private final Supplier<L> lines;
        private final BiConsumer<@Nullable L, @Nullable Failed> listener;
        private final Deque<InetSocketAddress> addresses = new ArrayDeque<>();
        private long deadlineNanos;
        private @Nullable ScheduledFuture<?> timer;
        private @Nullable Channel channel;
        private boolean ended;

        Connecting(EventLoop loop, Supplier<L> lines, BiConsumer<@Nullable L, @Nullable Failed> listener) {
            this.loop = loop;
            this.lines = lines;
            this.listener = listener;
        }

        void follow(Future<List<InetSocketAddress>> resolved, long timeoutMillis) {
            long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
            deadlineNanos = System.nanoTime() + timeoutNanos;
            timer = loop.schedule(() -> fail(LATE), timeoutNanos, TimeUnit.NANOSECONDS);
            resolved.addListener(done -> {
                if (!done.isSuccess()) {
                    fail(problem(done.cause()));
                    return;
                }
                resolved.getNow().stream().limit(MAX_ADDRESSES).forEach(addresses::add);
                connect(problem("the host name was not found"));
            });
        }

        /** Tries the next address. If none is left, ends with the last address's problem. */
        private void connect(Failed before) {
            InetSocketAddress next = addresses.poll();
            if (ended || next == null) {
                fail(before);
                return;
            }
            // The remaining time is divided evenly, so that an address that drops packets does not use it all.
            long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
            long tryMillis = Math.max(1, left / (addresses.size() + 1));
            L line = lines.get();
            ChannelFuture connected = bootstrap(loop, line, tryMillis).connect(next);
            channel = connected.channel();
            connected.addListener(done -> {
                if (done.isSuccess()) {
                    secure(line, connected.channel());
                } else {
                    connect(problem(done.cause()));
                }
            });
        }

        private void secure(L line, Channel made) {
            SslHandler tls = made.pipeline().get(SslHandler.class);
            if (tls == null) {
                open(line, made);
                return;
            }
            tls.handshakeFuture().addListener(shaken -> {
                if (shaken.isSuccess()) {
                    open(line, made);
                } else {
                    fail(problem(TlsProblem.detail(shaken.cause())));
                }
            });
        }

        private void open(L line, Channel made) {
            if (ended) {
                return;
            }
            made.closeFuture().addListener(closed -> fail(problem("the connection broke at once")));
            line.open(made, problem -> {
                if (problem != null) {
                    fail(problem);
                } else if (!made.isActive()) {
                    fail(problem("the connection broke at once"));
                } else if (end()) {
                    NodeConnector.this.made.increment();
                    line.ready(made);
                    listener.accept(line, null);
                }
            });
        }

        private void fail(Failed problem) {
            if (!end()) {
                return;
            }
            if (channel != null) {
                channel.close();
            }
            listener.accept(null, problem);
        }

        /** Returns false if it has ended before. */
        private boolean end() {
            if (ended) {
                return false;
            }
            ended = true;
            if (timer != null) {
                timer.cancel(false);
            }
            return true;
        }

        private static Failed problem(String detail) {
            return ReplyVerdict.failed(Fault.CONNECT, Executed.NO, detail);
        }

        /** Returns the problem in words that name no address; messages of exceptions do. */
        private static Failed problem(Throwable cause) {
            if (cause instanceof ConnectTimeoutException) {
                return LATE;
            }
            if (cause instanceof UnknownHostException) {
                return problem("the host name was not found");
            }
            return problem(
                    cause instanceof ConnectException ? "the connection was refused" : "no connection could be made");
        }
    }

    /** Description of a failed TLS handshake in the proxy's own words, because messages of exceptions name hosts. Immutable. */
    static final class TlsProblem {

        private static final String FAILED = "the TLS handshake failed";
        private static final int MAX_CAUSES = 16;

        private TlsProblem() {}

        /** Returns the description of a failed handshake. The deepest known cause decides. */
        static String detail(@Nullable Throwable failure) {
            String detail = FAILED;
            Throwable cause = failure;
            for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
                String why = why(cause);
                if (why != null) {
                    detail = FAILED + ": " + why;
                }
                cause = cause.getCause();
            }
            return detail;
        }

        private static @Nullable String why(Throwable cause) {
            if (cause instanceof NotSslRecordException) {
                return "the node does not speak TLS";
            }
            if (cause instanceof CertificateExpiredException || cause instanceof CertificateNotYetValidException) {
                return "the node's certificate is not valid at this time";
            }
            if (cause instanceof CertPathBuilderException || cause instanceof CertPathValidatorException) {
                return "the node's certificate is not trusted";
            }
            // Exceptions of exactly this class report a name that does not match.
            return cause.getClass() == CertificateException.class ? "the node's certificate is for another host" : null;
        }
    }

    /**
     * Resolver of host names through the system's blocking lookup, on a separate thread. IP addresses need no lookup. The thread
     * exists only while it is needed. Thread-safe.
     */
    static final class HostResolvers extends AddressResolverGroup<InetSocketAddress> {

        private static final int MAX_WAITING = 1024;
        private static final int KEEP_SECONDS = 10;

        private final Names names;
        private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
                0,
                1,
                KEEP_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MAX_WAITING),
                new DefaultThreadFactory("weir-host-names", true));

        HostResolvers(Names names) {
            this.names = names;
        }

        static HostResolvers ofSystem() {
            return new HostResolvers(InetAddress::getAllByName);
        }

        /** Lookup of a host's addresses, best first. */
        @FunctionalInterface
        interface Names {
            InetAddress[] find(String host) throws UnknownHostException;
        }

        @Override
        protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
            return new Resolver(executor).asAddressResolver();
        }

        @Override
        public void close() {
            super.close();
            thread.shutdownNow();
        }

        /** Resolver of one event loop. */
        private final class Resolver extends InetNameResolver {

            Resolver(EventExecutor executor) {
                super(executor);
            }

            @Override
            protected void doResolve(String host, Promise<InetAddress> promise) {
                lookUp(host, promise, found -> found[0]);
            }

            @Override
            protected void doResolveAll(String host, Promise<List<InetAddress>> promise) throws Exception {
                byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
                if (address != null) {
                    promise.setSuccess(List.of(InetAddress.getByAddress(host, address)));
                    return;
                }
                lookUp(host, promise, List::of);
            }

            private <T> void lookUp(String host, Promise<T> promise, Function<InetAddress[], T> form) {
                try {
                    thread.execute(() -> {
                        try {
                            promise.trySuccess(form.apply(names.find(host)));
                        } catch (UnknownHostException e) {
                            promise.tryFailure(e);
                        }
                    });
                } catch (RejectedExecutionException e) {
                    promise.tryFailure(e);
                }
            }
        }
    }
}
