package io.weir.transport.http2;

import com.codahale.metrics.Counter;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2PingFrame;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2PingFrame;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.weir.metrics.RateLimitedLogger;
import io.weir.transport.answer.AnswerStyle;
import io.weir.transport.http.ClientRequest;
import io.weir.transport.request.Drain;
import io.weir.transport.request.LingeringCloseHandler;
import io.weir.transport.request.ListenerContext;
import io.weir.transport.request.ReadPauseHandler;
import io.weir.transport.request.Rejection;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The end of an HTTP/2 connection: after a time without streams, at shutdown, or because of an error. It is also the timer of the streams.
 * Confined to its event loop.
 */
final class ConnectionHandler extends ChannelDuplexHandler {

    private static final RateLimitedLogger LOG =
            new RateLimitedLogger(LoggerFactory.getLogger(ConnectionHandler.class));

    /** The time limit for the requests that were under way when the client heard that no more are accepted. */
    private static final long LAST_REQUESTS_MILLIS = 1000;

    private static final long DRAIN_PING = 0x7765_6972;

    private final Http2FrameCodec codec;
    private final OpenStream.Limits limits;
    private final ConnectionFaults faults;
    private final long idleNanos;
    private final long firstNanos;
    private final Set<OpenStream> streams = new LinkedHashSet<>();
    private @Nullable ChannelHandlerContext context;
    private @Nullable Future<?> timer;
    private long timerNanos;
    private long quietSince;
    private boolean used;
    private boolean draining;

    /** The last stream that is answered, if the client has been told so; a later one is refused. */
    private int lastStream = Integer.MAX_VALUE;

    ConnectionHandler(
            Http2FrameCodec codec, ListenerContext listener, OpenStream.Limits limits, ConnectionFaults faults) {
        this.codec = codec;
        this.limits = limits;
        this.faults = faults;
        this.idleNanos = TimeUnit.MILLISECONDS.toNanos(listener.config().idleMillis());
        this.firstNanos = Math.min(
                idleNanos, TimeUnit.MILLISECONDS.toNanos(listener.limits().headMillis()));
    }

    /** Adds a stream, which is watched until it closes. */
    void add(OpenStream stream) {
        used = true;
        streams.add(stream);
        if (context != null && timerNanos - System.nanoTime() > limits.lookNanos()) {
            arm(context, limits.lookNanos());
        }
    }

    void remove(OpenStream stream) {
        streams.remove(stream);
        quietSince = System.nanoTime();
        if (context != null) {
            closeIfFinished(context);
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        quietSince = System.nanoTime();
        arm(ctx, firstNanos);
    }

    private void check(ChannelHandlerContext ctx) {
        long now = System.nanoTime();
        // Their checks may end some of them.
        List.copyOf(streams).forEach(stream -> stream.check(now, limits));
        long left = (used ? idleNanos : firstNanos) - (now - quietSince);
        if (!streams.isEmpty()) {
            arm(ctx, limits.lookNanos());
        } else if (left > 0) {
            arm(ctx, left);
        } else {
            drain(ctx);
        }
    }

    /**
     * Ends the connection after its open streams, and those that the client opens before it hears of that: the answer to a ping says
     * when it has.
     */
    private void drain(ChannelHandlerContext ctx) {
        if (!draining) {
            draining = true;
            ctx.write(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR).setExtraStreamIds(Integer.MAX_VALUE));
            ctx.writeAndFlush(new DefaultHttp2PingFrame(DRAIN_PING));
            ctx.executor().schedule(() -> endAfterStreams(ctx), LAST_REQUESTS_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Tells the client the last stream, unless it knows. Netty is not told: it would take a later one for an error of the connection. */
    private void endAfterStreams(ChannelHandlerContext ctx) {
        if (!isEnding() && !ctx.isRemoved()) {
            lastStream = codec.connection().remote().lastStreamCreated();
            ChannelHandlerContext below = ctx.pipeline().context(codec);
            codec.encoder()
                    .frameWriter()
                    .writeGoAway(
                            below, lastStream, Http2Error.NO_ERROR.code(), Unpooled.EMPTY_BUFFER, below.newPromise());
            below.flush();
            closeIfFinished(ctx);
        }
    }

    private boolean isEnding() {
        return lastStream < Integer.MAX_VALUE;
    }

    /** Returns whether a stream came too late: the client knows, and may send its request to another proxy. */
    boolean refuses(int stream) {
        return stream > lastStream;
    }

    /** Closes behind the last answer so that it arrives, although the client may still send. */
    private void closeIfFinished(ChannelHandlerContext ctx) {
        if (isEnding() && streams.isEmpty()) {
            ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> LingeringCloseHandler.close(ctx));
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object frame) {
        if (frame instanceof Http2PingFrame ping && ping.ack() && ping.content() == DRAIN_PING && draining) {
            endAfterStreams(ctx);
        }
        ReferenceCountUtil.release(frame);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof Drain) {
            drain(ctx);
        } else if (event instanceof ChannelInputShutdownEvent) {
            // That ends some of them.
            List.copyOf(streams).forEach(OpenStream::inputClosed);
            endAfterStreams(ctx);
        }
    }

    /** Closes at once, whatever streams are open. */
    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        codec.gracefulShutdownTimeoutMillis(0);
        ctx.close(promise);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        disarm();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Http2Exception error = Http2CodecUtil.getEmbeddedHttp2Exception(cause);
        if (error != null) {
            // Netty has said so to the client, and closes.
            faults.count(error.error());
            return;
        }
        if (!(cause instanceof IOException)) {
            LOG.warn("connection failed", cause);
        }
        close(ctx, ctx.newPromise());
    }

    private void arm(ChannelHandlerContext ctx, long nanos) {
        disarm();
        timerNanos = System.nanoTime() + nanos;
        timer = ctx.executor().schedule(() -> check(ctx), nanos, TimeUnit.NANOSECONDS);
    }

    private void disarm() {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    /** The time limits of an open stream: for its request to arrive, and for its answer to be taken. Confined to its event loop. */
    static final class OpenStream {

        private final Channel channel;
        private final RequestFrameHandler request;
        private final AnswerFrameHandler answer;
        private final ReadPauseHandler pause;

        /** The time since which the client could have sent its request. */
        private long requestSince = System.nanoTime();

        /** The time since which the client could have taken more of its answer. */
        private long takenSince = requestSince;

        private long taken;
        private boolean rejected;

        OpenStream(Channel channel, RequestFrameHandler request, AnswerFrameHandler answer, ReadPauseHandler pause) {
            this.channel = channel;
            this.request = request;
            this.answer = answer;
            this.pause = pause;
        }

        /**
         * The time limits of all streams. Immutable.
         *
         * @param slowReaders counts streams whose clients do not read
         */
        record Limits(long requestMillis, long writeMillis, Counter slowReaders) {

            /** Returns the time between two looks at the open streams. */
            long lookNanos() {
                return TimeUnit.MILLISECONDS.toNanos(Math.max(1, Math.min(requestMillis, writeMillis) / 4));
            }
        }

        /** Notes that the client sends nothing more: an unfinished request ends, and a whole one still gets its answer. */
        void inputClosed() {
            channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        }

        /** Rejects the request, or resets the stream, if its time is over. */
        void check(long now, Limits limits) {
            if (request.isWhole() || pause.isPaused()) {
                // The time in which the proxy does not read does not count against the client.
                requestSince = now;
            } else if (!rejected && now - requestSince >= TimeUnit.MILLISECONDS.toNanos(limits.requestMillis())) {
                rejected = true;
                channel.pipeline()
                        .context(request)
                        .fireChannelRead(new ClientRequest.Rejected(
                                new Rejection(Rejection.Reason.SLOW, "request: did not arrive whole in time"),
                                AnswerStyle.LAST));
            }
            if (!answer.isWaiting() || answer.taken() != taken) {
                taken = answer.taken();
                takenSince = now;
            } else if (now - takenSince >= TimeUnit.MILLISECONDS.toNanos(limits.writeMillis())) {
                limits.slowReaders().inc();
                answer.giveUp();
                channel.close();
            }
        }
    }
}
