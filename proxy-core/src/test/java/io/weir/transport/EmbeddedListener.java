package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.config.ServerConfig;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.text.NameTable;
import io.weir.limit.Budget;
import io.weir.limit.Budget.KeyBudgets;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.network.CurrentGeneration;
import io.weir.network.Readiness;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.testing.ThreadLog;
import io.weir.transport.http.HttpPipeline;
import io.weir.transport.http2.Http2Pipeline;
import io.weir.transport.http2.Http2Pipeline.PrefaceHandler;
import io.weir.transport.request.Drain;
import io.weir.transport.request.ListenerContext;
import io.weir.transport.websocket.WebSocketUpgrade;
import io.weir.upstream.ResultStream;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A connection of the listener's own pipeline without a socket: bytes in, bytes out, and a clock that stands still. Closing it
 * checks that nothing went wrong inside and that nothing is left. Confined to one thread.
 */
final class EmbeddedListener implements AutoCloseable {

    private static final int MAX_STEPS = 2_000;
    private static final long STEP_MILLIS = 10;

    private final Memory memory = new Memory();
    private final FakeRunner runner = new FakeRunner("main");
    private final Meters meters = new Meters(new MetricRegistry());
    private final Deque<Runnable> later = new ArrayDeque<>();
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final ThreadLog logged = new ThreadLog("io.weir.transport");
    private final @Nullable InetAddress peer;
    private final ListenerContext context;
    private final EmbeddedChannel channel;

    /** Memory that may end for large buffers. */
    private static final class Memory extends AbstractByteBufAllocator {

        private final UnpooledByteBufAllocator source = new UnpooledByteBufAllocator(false, true);
        private int mostBytes = Integer.MAX_VALUE;

        @Override
        protected ByteBuf newHeapBuffer(int capacity, int most) {
            check(capacity);
            return source.heapBuffer(capacity, most);
        }

        @Override
        protected ByteBuf newDirectBuffer(int capacity, int most) {
            check(capacity);
            return source.directBuffer(capacity, most);
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }

        long used() {
            return source.metric().usedHeapMemory() + source.metric().usedDirectMemory();
        }

        private void check(int capacity) {
            if (capacity > mostBytes) {
                throw new OutOfMemoryError("of this test");
            }
        }
    }

    /** A connection from a peer that a test names. */
    private static final class PeerChannel extends EmbeddedChannel {

        private final @Nullable InetAddress peer;

        PeerChannel(@Nullable InetAddress peer) {
            this.peer = peer;
        }

        @Override
        protected @Nullable SocketAddress remoteAddress0() {
            return peer == null ? super.remoteAddress0() : new InetSocketAddress(peer, 1);
        }
    }

    /** Opens one, whose calls are answered at once. */
    EmbeddedListener(ServerBounds bounds) {
        this(bounds, null);
    }

    /**
     * Opens a connection whose calls are answered at once.
     *
     * @param peer the client's address, or null for a connection without one
     */
    EmbeddedListener(ServerBounds bounds, @Nullable InetAddress peer) {
        this(bounds, peer, false);
    }

    /**
     * Opens a connection whose calls are answered at once.
     *
     * @param peer the client's address, or null for a connection without one
     * @param http2 whether the client may speak HTTP/2
     */
    EmbeddedListener(ServerBounds bounds, @Nullable InetAddress peer, boolean http2) {
        this.peer = peer;
        ServerConfig config = bounds.build();
        CurrentGeneration current =
                new CurrentGeneration(TestProxy.generation(config, false, runner, new FakeRunner("side")));
        Budget bytes = new Budget(config.load().bytes());
        ListenerContext timed =
                ListenerContext.of(config, new Readiness(current), NameTable.EMPTY, bytes, null, meters);
        Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
        context = new ListenerContext(
                config,
                bounds.limits(),
                current,
                timed.readiness(),
                timed.readers(),
                timed.calls(),
                bytes,
                new KeyBudgets(bounds.headBytesPerAddress),
                timed.rejections(),
                new AtomicInteger(),
                timed.clients(),
                null,
                clock);
        channel = new PeerChannel(peer);
        channel.freezeTime();
        channel.config().setAllocator(memory);
        HttpPipeline http = new HttpPipeline(context, new WebSocketUpgrade(context));
        Http2Pipeline second = new Http2Pipeline(context, http, meters);
        channel.pipeline().addLast(new Listener.ConnectionInitializer(http, second, null, 30_000, new Counter()));
        if (!http2) {
            channel.pipeline().remove(PrefaceHandler.class);
        }
        channel.pipeline().fireChannelActive();
    }

    /** Has calls answered only while the connection settles, the last one first. */
    EmbeddedListener answeringLate() {
        for (String method : new String[] {"echo", "network"}) {
            runner.on(method, this::answerLate);
        }
        return this;
    }

    /** Has the method {@code stream} answered with a result that arrives, once the connection settles. */
    EmbeddedListener streaming(ResultStream result) {
        runner.on("stream", (call, sink) -> later.add(() -> sink.accept(result)));
        return this;
    }

    /** Begins the drain of the connection. */
    void drain() {
        channel.pipeline().fireUserEventTriggered(Drain.NOW);
    }

    /** Has memory end for buffers that are larger. */
    void allowBuffersUpTo(int bytes) {
        memory.mostBytes = bytes;
    }

    private void answerLate(CallContext context, ReplySink sink) {
        later.add(() -> sink.accept(new RpcReply.Result(context.call().id())));
    }

    /** Has bytes arrive in one read; those that come after the end are lost. */
    void receive(byte[] bytes, int from, int to) {
        if (channel.isOpen()) {
            channel.writeInbound(memory.heapBuffer(to - from).writeBytes(bytes, from, to - from));
            take();
            if (!channel.config().isAutoRead()) {
                settle();
            }
        }
    }

    /** Has bytes arrive in one read, and nothing settle behind them. */
    void receiveOnly(byte[] bytes) {
        channel.writeInbound(memory.heapBuffer(bytes.length).writeBytes(bytes));
        take();
    }

    /** Has bytes arrive in one read, and returns what was sent before the loop could serve another connection. */
    byte[] receiveInOneTurn(byte[] bytes) {
        return receiveInOneTurn(bytes, () -> {});
    }

    /** Has bytes arrive in one read, and something happen behind them, before the next turn of the loop. */
    byte[] receiveInOneTurn(byte[] bytes, Runnable behind) {
        List<byte[]> first = new ArrayList<>();
        Runnable next = () -> {
            first.add(sent());
            behind.run();
        };
        channel.eventLoop().schedule(next, 0, TimeUnit.NANOSECONDS);
        receiveOnly(bytes);
        return first.get(0);
    }

    /** Answers what waits. */
    void answer() {
        for (Runnable next = later.pollLast(); next != null; next = later.pollLast()) {
            next.run();
        }
        channel.runPendingTasks();
        take();
    }

    /** Answers what waits, and lets time pass, until the connection reads again and owes nothing. */
    void settle() {
        for (int i = 0;
                channel.isOpen() && (!later.isEmpty() || !channel.config().isAutoRead());
                i++) {
            assertThat(i).as("steps until it reads again").isLessThan(MAX_STEPS);
            Runnable next = later.pollLast();
            if (next != null) {
                next.run();
            }
            channel.runPendingTasks();
            channel.advanceTimeBy(STEP_MILLIS, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
            take();
        }
    }

    /** Lets time pass, in which nothing arrives. */
    void pass(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
        take();
    }

    private void take() {
        for (ByteBuf bytes = channel.readOutbound(); bytes != null; bytes = channel.readOutbound()) {
            byte[] copy = new byte[bytes.readableBytes()];
            bytes.readBytes(copy);
            sent.writeBytes(copy);
            bytes.release();
        }
    }

    /** Returns the bytes sent since the last time. */
    byte[] sent() {
        take();
        byte[] bytes = sent.toByteArray();
        sent.reset();
        return bytes;
    }

    /** Returns the bytes in flight. */
    long bytesInFlight() {
        return context.bytes().taken();
    }

    /** Returns the number of calls in flight. */
    long callsInFlight() {
        return gauge(Meter.CALLS_IN_FLIGHT);
    }

    /** Returns the number of calls that have begun. */
    int callsBegun() {
        return runner.calls();
    }

    /** Returns how many addresses have head bytes counted: that of the client, or none. */
    int addressesWithHeadBytes() {
        return peer == null || context.headBytes().of(KeyBudgets.network(peer)).taken() == 0 ? 0 : 1;
    }

    /** The client closes its side in the middle of what it sends. */
    void cut() {
        // Not by the channel itself, which would do everything that is scheduled first.
        channel.pipeline().close();
        channel.runPendingTasks();
        take();
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** How many requests were turned away for such a reason. */
    long refused(String reason) {
        return meters.counter(Meter.REQUESTS_REFUSED, reason).getCount();
    }

    /** How many HTTP/2 connections ended because of such an error. */
    long http2Errors(String code) {
        return meters.counter(Meter.HTTP2_ERRORS, code).getCount();
    }

    /** The client disconnects; later answers are dropped. */
    @Override
    public void close() {
        try {
            channel.close();
            later.forEach(Runnable::run);
            channel.finishAndReleaseAll();
            channel.checkException();
            assertThat(channel.inboundMessages()).as("what nobody took").isEmpty();
            if (memory.mostBytes == Integer.MAX_VALUE) {
                assertThat(logged.lines()).as("problems logged").isEmpty();
            }
            assertThat(context.bytes().taken()).as("bytes in flight").isZero();
            assertThat(addressesWithHeadBytes()).as("addresses with head bytes").isZero();
            assertThat(callsInFlight()).as("calls in flight").isZero();
            context.current()
                    .get()
                    .networks()
                    .forEach((name, network) -> assertThat(network.bodies().taken())
                            .as("request bodies of network %s", name)
                            .isZero());
            assertThat(context.webSockets()).as("WebSockets").hasValue(0);
            assertThat(memory.used())
                    .as("bytes of buffers that nobody released")
                    .isZero();
        } finally {
            logged.close();
        }
    }

    private long gauge(Meter meter) {
        return (Long) meters.registry().getGauges().get(meter.id()).getValue();
    }
}
