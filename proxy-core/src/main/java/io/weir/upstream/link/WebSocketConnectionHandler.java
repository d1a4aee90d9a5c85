package io.weir.upstream.link;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.framing.BodyBuffer;
import io.weir.jsonrpc.RawJson;
import io.weir.limit.Reservation;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.RateLimitedLogger;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeClient.NodeSubscription;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.link.Handshake.AnswerDecoder;
import io.weir.upstream.link.NodeConnectionHandler.Codec;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** WebSocket to a node. It carries many calls, and closes if the call that a message answers is in doubt. Confined to its event loop. */
final class WebSocketConnectionHandler extends NodeConnectionHandler {

    private static final RateLimitedLogger LOG =
            new RateLimitedLogger(LoggerFactory.getLogger(WebSocketConnectionHandler.class));

    private static final Failed SILENT =
            ReplyVerdict.failed(Fault.DISCONNECTED, Executed.MAYBE, "the node fell silent");

    private static final Failed INTERRUPTED =
            ReplyVerdict.failed(Fault.INTERRUPTED, Executed.MAYBE, "the answer to another call closed the connection");
    private static final Failed UNUSED =
            ReplyVerdict.failed(Fault.CONNECT, Executed.NO, "the connection broke before any answer");

    private final WebSocketCodec codec;
    /** Counts the bytes of an incomplete frame. */
    private final Reservation frames;

    private final CallsInFlight calls;
    private final CloseHandshake closeHandshake = new CloseHandshake();
    private @Nullable BodyBuffer message;
    private Handshake.@Nullable Opening opening;
    private @Nullable KeepAlive keepAlive;

    /** WebSocket: many calls at once on a connection, matched to their answers by id. */
    record WebSocketCodec(
            Handshake handshake, ReconnectPause pause, EnumCounters<CallsInFlight.Unsolicited> unsolicited)
            implements Codec {

        @Override
        public NodeConnectionHandler connection(Link link) {
            return new WebSocketConnectionHandler(link, this);
        }

        @Override
        public boolean isMultiplexed() {
            return true;
        }
    }

    WebSocketConnectionHandler(Link link, WebSocketCodec codec) {
        super(link);
        this.codec = codec;
        this.frames = link.limits().bytes().reserve();
        this.calls = new CallsInFlight(this::giveBack, codec.unsolicited());
    }

    @Override
    public void addTo(ChannelPipeline pipeline) {
        opening = codec.handshake().begin(link.limits().maxResponseBytes(), frames);
        pipeline.addLast(new HttpClientCodec(NodeConnector.decoding(), false, false), this);
    }

    @Override
    public void open(Channel connected, Consumer<@Nullable Failed> opened) {
        if (opening != null) {
            opening.begin(connected, opened);
        }
    }

    @Override
    public void ready(Channel connected) {
        super.ready(connected);
        opening = null;
        keepAlive = new KeepAlive(connected, link.limits(), this::silent, this::renew);
        keepAlive.start();
    }

    @Override
    int calls() {
        return calls.count();
    }

    @Override
    void addCalls(List<Attempt> all) {
        calls.addTo(all);
    }

    @Override
    void send(Attempt attempt, long id, RawJson text) {
        Channel open = channel();
        if (open == null) {
            throw new IllegalStateException("socket: not ready (expected: ready)");
        }
        CallsInFlight.Entry entry = calls.add(id, attempt);
        ByteBuf request = open.alloc().buffer(text.length()).writeBytes(text.array(), text.offset(), text.length());
        open.writeAndFlush(new TextWebSocketFrame(request)).addListener(written -> {
            if (written.isSuccess()) {
                entry.markWritten();
            } else {
                open.close();
            }
        });
    }

    @Override
    void giveUp(Attempt attempt, Failed late) {
        calls.end(attempt, late);
        link.release(this);
    }

    @Override
    boolean discardAnswer(Attempt attempt, Failed reason) {
        giveUp(attempt, reason);
        return false;
    }

    @Override
    void end(NodeOutcome outcome) {
        stopAccepting();
        forgetMessage();
        disconnect();
        calls.endAll(outcome);
    }

    @Override
    void disconnect() {
        closeHandshake.send(channel());
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try {
            if (message instanceof WebSocketFrame frame) {
                take(ctx, frame);
            } else if (opening != null) {
                opening.read(ctx.channel(), message);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        // Runs with every read, also within an incomplete frame.
        if (keepAlive != null) {
            keepAlive.hear();
        }
        ctx.fireChannelReadComplete();
    }

    private void take(ChannelHandlerContext ctx, WebSocketFrame frame) {
        if (closeHandshake.isSent()) {
            return;
        }
        if (frame instanceof PingWebSocketFrame) {
            ctx.writeAndFlush(new PongWebSocketFrame(frame.content().retain()), ctx.voidPromise());
        } else if (frame instanceof CloseWebSocketFrame) {
            stopAccepting();
            closeHandshake.send(channel(), (CloseWebSocketFrame) frame.retain());
        } else if (!(frame instanceof PongWebSocketFrame)) {
            add(frame);
        }
    }

    /** Joins frames to messages, text and binary alike. The decoder accepts continuations only in the right order. */
    private void add(WebSocketFrame frame) {
        ByteBuf content = frame.content();
        LinkLimits limits = link.limits();
        BodyBuffer begun = frame instanceof ContinuationWebSocketFrame ? message : null;
        BodyBuffer whole = begun != null
                ? begun
                : BodyBuffer.ofNode(
                        frame.isFinalFragment() ? content.readableBytes() : -1,
                        limits.maxResponseBytes(),
                        limits.bytes().reserve());
        message = whole;
        BodyBuffer.AddResult added = whole.add(content, frames);
        if (added == BodyBuffer.AddResult.TOO_LARGE) {
            lose(AnswerDecoder.idIn(whole), ReplyVerdict.tooLarge());
        } else if (added == BodyBuffer.AddResult.OVER_BUDGET) {
            lose(
                    whole.length() > 0 ? AnswerDecoder.idIn(whole) : AnswerDecoder.idIn(content),
                    ReplyVerdict.overBudget());
        } else if (frame.isFinalFragment()) {
            message = null;
            whole.reservation().handOver(() -> take(whole));
        }
    }

    /** Returns the id that the answer in an abandoned frame names; -1 if that is unknown. */
    private long idOfLost(AnswerDecoder decoder) {
        return message != null && message.length() > 0 ? AnswerDecoder.idIn(message) : decoder.lostId();
    }

    private void forgetMessage() {
        if (message != null) {
            message.reservation().close();
            message = null;
        }
    }

    private void take(BodyBuffer whole) {
        CallsInFlight.Reading reading = calls.take(whole, this::stopAccepting);
        if (reading == CallsInFlight.Reading.ANSWER) {
            markUsed();
            codec.pause().worked();
            link.release(this);
        } else if (reading == CallsInFlight.Reading.DOUBT) {
            end(INTERRUPTED);
        } else if (reading == CallsInFlight.Reading.NOTIFICATION) {
            NodeSubscription.Listener listener = link.listener();
            if (listener == null) {
                codec.unsolicited().count(CallsInFlight.Unsolicited.NOTIFICATION);
            } else {
                listener.notified(RawJson.slice(whole.array(), 0, whole.length()));
            }
        }
    }

    /** Abandons an incomplete message. No later message on the connection can be read. */
    private void lose(long id, Failed reason) {
        stopAccepting();
        calls.lost(id, reason);
        end(INTERRUPTED);
    }

    private void renew() {
        Channel open = channel();
        if (open != null) {
            link.connector().ifMoved(open, this::retire);
        }
    }

    private void silent() {
        stopAccepting();
        Channel open = channel();
        if (open != null) {
            open.close();
        }
        calls.endAll(SILENT);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (!detach()) {
            return;
        }
        forgetMessage();
        if (keepAlive != null) {
            keepAlive.stop();
        }
        closeHandshake.ended();
        if (!isUsed() && !isDismissed() && !isRetiring()) {
            codec.pause().failed(UNUSED);
        }
        link.gone(this, false, () -> calls.endAll(BROKEN));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        AnswerDecoder decoder = ctx.pipeline().get(AnswerDecoder.class);
        if (cause instanceof AnswerDecoder.OverBudgetException && channel() != null && decoder != null) {
            lose(idOfLost(decoder), ReplyVerdict.overBudget());
            return;
        }
        if (cause instanceof CorruptedWebSocketFrameException violation && channel() != null) {
            if (violation.closeStatus().equals(WebSocketCloseStatus.MESSAGE_TOO_BIG) && decoder != null) {
                lose(idOfLost(decoder), ReplyVerdict.tooLarge());
            } else {
                stopAccepting();
                calls.endFirst(Failed.of(Flaw.BROKEN_FRAMING, "broken framing"));
                end(INTERRUPTED);
            }
            return;
        }
        if (!NodeConnector.isBroken(cause) && !isOfFrame(cause)) {
            LOG.warn("a message of an upstream could not be read", cause);
            close(ReplyVerdict.failed(Fault.INTERNAL, Executed.MAYBE, "the proxy failed to read an answer"));
        }
        // Otherwise calls in flight end with the connection.
        ctx.close();
    }

    private static boolean isOfFrame(Throwable cause) {
        return cause instanceof AnswerDecoder.OverBudgetException || cause instanceof CorruptedWebSocketFrameException;
    }

    /**
     * Close handshake of one WebSocket from this side: a close frame, then the end of the connection once the frame was sent.
     * Confined to its event loop.
     */
    private static final class CloseHandshake {

        private static final long MAX_MILLIS = 1000;

        private boolean sent;
        private @Nullable ScheduledFuture<?> timer;

        boolean isSent() {
            return sent;
        }

        /** Sends a close frame if there is a connection and none was sent. Does not wait for an answer. */
        void send(@Nullable Channel channel) {
            send(channel, new CloseWebSocketFrame(WebSocketCloseStatus.NORMAL_CLOSURE));
        }

        /** Sends the given close frame likewise, and takes ownership of it. */
        void send(@Nullable Channel channel, CloseWebSocketFrame frame) {
            if (channel == null || sent) {
                frame.release();
                return;
            }
            sent = true;
            timer = channel.eventLoop().schedule(() -> channel.close(), MAX_MILLIS, TimeUnit.MILLISECONDS);
            channel.writeAndFlush(frame).addListener(ChannelFutureListener.CLOSE);
        }

        void ended() {
            if (timer != null) {
                timer.cancel(false);
            }
        }
    }

    /**
     * Watch over one WebSocket. It pings a silent node, and reports a node that stays silent after a ping, and a socket that has been open for
     * long. Confined to its event loop.
     */
    static final class KeepAlive {

        private final Channel channel;
        private final LinkLimits limits;
        private final Runnable silent;
        private final Runnable renewal;
        private @Nullable ScheduledFuture<?> ping;
        private boolean heard;
        private boolean pinged;
        private long unrenewedMillis;

        /**
         * Watches a socket from its start on.
         *
         * @param silent runs when the node sent nothing after a ping
         * @param renewal runs when the socket has been open for the time to renew it, and again after each further such time
         */
        KeepAlive(Channel channel, LinkLimits limits, Runnable silent, Runnable renewal) {
            this.channel = channel;
            this.limits = limits;
            this.silent = silent;
            this.renewal = renewal;
        }

        void start() {
            long pause = limits.pingMillis();
            ping = channel.eventLoop().scheduleWithFixedDelay(this::pingIfSilent, pause, pause, TimeUnit.MILLISECONDS);
        }

        void hear() {
            heard = true;
        }

        private void pingIfSilent() {
            unrenewedMillis += limits.pingMillis();
            if (unrenewedMillis >= limits.renewMillis()) {
                unrenewedMillis = 0;
                renewal.run();
            }
            if (heard) {
                heard = false;
                pinged = false;
            } else if (pinged) {
                silent.run();
            } else {
                pinged = true;
                channel.writeAndFlush(new PingWebSocketFrame(), channel.voidPromise());
            }
        }

        void stop() {
            if (ping != null) {
                ping.cancel(false);
            }
        }
    }

    /**
     * Pause after failed sockets to one node. Each failure doubles the pause, up to a maximum. Each pause is shortened at random
     * to between half and all of it. So the proxies of a node do not reconnect at the same time. An answer over any socket ends
     * the pause. Thread-safe.
     */
    static final class ReconnectPause {

        static final long FIRST_MILLIS = 100;
        static final long MAX_MILLIS = 10_000;

        private final LongSupplier clock;
        private final IntUnaryOperator random;
        private int failures;
        private long untilNanos;
        private volatile @Nullable Failed problem;

        ReconnectPause(LongSupplier clock, IntUnaryOperator random) {
            this.clock = clock;
            this.random = random;
        }

        /** Notes that a socket could not be made, or broke before it answered anything. */
        synchronized void failed(Failed why) {
            int doublings = Math.min(failures++, Long.SIZE - Long.numberOfLeadingZeros(MAX_MILLIS));
            long whole = Math.min(MAX_MILLIS, FIRST_MILLIS << doublings);
            long millis = whole / 2 + random.applyAsInt((int) (whole / 2) + 1);
            untilNanos = clock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(millis);
            problem = why;
        }

        void worked() {
            if (problem != null) {
                clear();
            }
        }

        private synchronized void clear() {
            failures = 0;
            problem = null;
        }

        /** Returns why no socket may be made yet, or null if one may. */
        synchronized @Nullable Failed problem() {
            return problem != null && untilNanos - clock.getAsLong() > 0 ? problem : null;
        }
    }
}
