package io.weir.transport.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.weir.access.Caller;
import io.weir.access.KeyBounds;
import io.weir.framing.BodyBuffer;
import io.weir.jsonrpc.ReplyText;
import io.weir.limit.Reservation;
import io.weir.limit.Share;
import io.weir.metrics.RateLimitedLogger;
import io.weir.network.Generation;
import io.weir.network.Network;
import io.weir.pipeline.AnswerSink;
import io.weir.pipeline.ClientSession;
import io.weir.pipeline.RequestAnswer;
import io.weir.pipeline.SessionRequest;
import io.weir.tracing.TraceHeaders;
import io.weir.transport.answer.StreamedAnswer;
import io.weir.transport.http.ClientRequest;
import io.weir.transport.log.AccessLogEntry;
import io.weir.transport.request.Admission;
import io.weir.transport.request.ConnectionCalls;
import io.weir.transport.request.Drain;
import io.weir.transport.request.ListenerContext;
import io.weir.transport.request.ReadPauseHandler;
import io.weir.transport.request.Rejection;
import io.weir.upstream.ResultStream;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Runs the messages of a WebSocket concurrently, and answers each as it ends. Confined to its event loop. */
final class SessionHandler extends ChannelInboundHandlerAdapter {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(SessionHandler.class));

    private final ListenerContext listener;
    private final ReadPauseHandler pause;
    private final Share bytes;
    private final ClientRequest.Handshake handshake;
    private final @Nullable InetAddress client;
    private @Nullable ExpiryTimer expiry;
    private @Nullable ConnectionCalls running;
    private @Nullable SessionMessages messages;
    private Generation generation;
    private Admission.Granted granted;
    private int inFlight;
    /** The answer that is being sent while it arrives. Null while there is none. */
    private @Nullable StreamedMessage streamed;

    /** Whether a request has subscribed, so that the session stays at its network. */
    private boolean bound;

    private boolean draining;
    private boolean ended;

    SessionHandler(ListenerContext listener, ReadPauseHandler pause, ClientRequest.Handshake handshake) {
        this.client = handshake.source().client();
        this.listener = listener;
        this.pause = pause;
        this.handshake = handshake;
        this.generation = handshake.generation();
        this.granted = handshake.granted();
        this.bytes = listener.bytes(handshake.granted());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        listener.webSockets().incrementAndGet();
        watchExpiry(ctx);
    }

    private void watchExpiry(ChannelHandlerContext ctx) {
        if (expiry == null && granted.caller().bounds().expires()) {
            expiry = new ExpiryTimer(() -> recheck(ctx));
        }
        if (expiry != null) {
            expiry.watch(ctx.executor(), granted.caller().bounds());
        }
    }

    private void recheck(ChannelHandlerContext ctx) {
        if (!ended) {
            isStillAdmitted(ctx);
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        listener.webSockets().decrementAndGet();
        if (expiry != null) {
            expiry.stop();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof BodyBuffer whole) {
            if (!ended && isStillAdmitted(ctx)) {
                run(ctx, whole);
            } else {
                whole.reservation().close();
            }
        }
    }

    /** The key may have expired. A later configuration may have removed it, the network, the host or the page's origin. */
    private boolean isStillAdmitted(ChannelHandlerContext ctx) {
        Generation now = listener.current().get();
        if (now == generation && !granted.caller().bounds().isExpired()) {
            return true;
        }
        Admission admission = Admission.decide(now, handshake.target(), handshake.source());
        if (admission instanceof Admission.Granted still && handshake.source().rejection(now) == null) {
            generation = now;
            Caller first = handshake.granted().caller();
            readmit(ctx, still.by(still.caller().demanding(first.demands())));
            return !ended;
        }
        if (admission instanceof Rejection rejection) {
            listener.rejections().count(rejection.reason());
        }
        if (admission instanceof Rejection rejection && rejection.reason() == Rejection.Reason.NETWORK) {
            drain(ctx);
        } else {
            end(ctx, WebSocketCloseStatus.POLICY_VIOLATION, "not permitted any more");
        }
        return false;
    }

    private void readmit(ChannelHandlerContext ctx, Admission.Granted still) {
        if (bound && !still.network().serves(granted.network())) {
            // Its subscriptions are those of a replaced network. The client subscribes anew after a new connection.
            granted = still.on(granted.network());
            drain(ctx, new Drain(listener.config().drainMillis() / 2));
        } else {
            granted = still;
        }
        watchExpiry(ctx);
        if (messages != null) {
            messages.readmitted(still.caller());
        }
    }

    /** Stays at the network of a request that subscribes. */
    private void bind(ChannelHandlerContext ctx, Network network) {
        bound = true;
        if (!granted.network().serves(network)) {
            // A reload has replaced the network since the request was admitted. Its stream ends without a word.
            granted = granted.on(network);
            drain(ctx);
        }
    }

    private void run(ChannelHandlerContext ctx, BodyBuffer message) {
        if (++inFlight >= listener.limits().pipelined()) {
            pause.pause(ReadPauseHandler.Cause.IN_FLIGHT);
        }
        if (running == null) {
            running = new ConnectionCalls(listener, pause, ctx.channel().eventLoop());
        }
        if (messages == null) {
            messages = new SessionMessages(
                    ctx, handshake.source().client(), bytes.reserve(), (status, reason) -> end(ctx, status, reason));
        }
        AccessLogEntry entry = logEntry(message);
        running.run(message, granted, entry, new MessageSink(ctx, messages, message.reservation(), entry));
        // Later messages wait briefly while the budget is exhausted, and are then tried.
        pause.awaitBudget(ctx, bytes, available -> {});
    }

    private @Nullable AccessLogEntry logEntry(BodyBuffer message) {
        AccessLogEntry entry = listener.logEntry(client);
        if (entry != null) {
            entry.admitted(granted.network().id().name(), granted.caller().name());
            entry.received(message.length());
        }
        return entry;
    }

    private void answered(ChannelHandlerContext ctx, MessageSink sink, RequestAnswer answer) {
        if (sink.entry != null) {
            sink.entry.answered(answer);
        }
        if (ended) {
            inFlight--;
            sink.end(0, false);
            return;
        }
        if (answer instanceof RequestAnswer.One one && one.stream() != null) {
            stream(ctx, sink, one, one.stream());
            return;
        }
        send(ctx, sink, answer.messageText());
        over(ctx);
    }

    /** Notes that an answer was given to the socket. */
    private void over(ChannelHandlerContext ctx) {
        inFlight--;
        if (draining && inFlight == 0) {
            end(ctx, WebSocketCloseStatus.SERVICE_RESTART, "service restart");
        } else if (inFlight < listener.limits().pipelined()) {
            pause.resume(ReadPauseHandler.Cause.IN_FLIGHT);
        }
    }

    /** Sends a result in fragments of one message while it arrives. */
    private void stream(ChannelHandlerContext ctx, MessageSink sink, RequestAnswer.One answer, ResultStream result) {
        if (streamed != null) {
            throw new IllegalStateException("answer: a stream beside another one (expected: one at a time)");
        }
        StreamedAnswer sending = new FragmentedAnswer(ctx, result, whole -> streamEnded(ctx, whole));
        streamed = new StreamedMessage(sending, sink);
        streamed.begin(ctx.alloc(), ReplyText.beforeResult(answer.id()));
    }

    private void streamEnded(ChannelHandlerContext ctx, boolean whole) {
        StreamedMessage sent = streamed;
        if (sent == null) {
            return;
        }
        if (whole) {
            sent.end();
            streamed = null;
            over(ctx);
        } else {
            end(ctx, WebSocketCloseStatus.INTERNAL_SERVER_ERROR, "the answer broke off");
        }
    }

    private void dropStream() {
        StreamedMessage dropped = streamed;
        if (dropped != null) {
            streamed = null;
            inFlight--;
            dropped.over(false);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (streamed != null) {
            streamed.answer().follow();
        }
        ctx.fireChannelWritabilityChanged();
    }

    private void send(ChannelHandlerContext ctx, MessageSink sink, @Nullable ReplyText text) {
        if (text == null) {
            sink.end(0, true);
            return;
        }
        ByteBuf bytes;
        try {
            bytes = ctx.alloc().ioBuffer(text.length());
        } catch (OutOfMemoryError e) {
            sink.end(0, false);
            exceptionCaught(ctx, e);
            return;
        }
        text.writeTo(bytes::writeBytes);
        // Only the bytes hold the answer from here on.
        int length = text.length();
        ctx.writeAndFlush(new TextWebSocketFrame(bytes)).addListener(sent -> sink.end(length, sent.isSuccess()));
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof Generation) {
            recheck(ctx);
        } else if (event instanceof Drain drain) {
            drain(ctx, drain);
        }
        ctx.fireUserEventTriggered(event);
    }

    private void drain(ChannelHandlerContext ctx, Drain drain) {
        if (drain.spreadMillis() > 0) {
            long delay = ThreadLocalRandom.current().nextLong(drain.spreadMillis());
            ctx.executor().schedule(() -> drain(ctx), delay, TimeUnit.MILLISECONDS);
        } else {
            drain(ctx);
        }
    }

    private void drain(ChannelHandlerContext ctx) {
        if (draining || ended) {
            return;
        }
        draining = true;
        pause.pause(ReadPauseHandler.Cause.ENDING);
        if (inFlight == 0) {
            end(ctx, WebSocketCloseStatus.SERVICE_RESTART, "service restart");
        }
    }

    /** Sends the reason and continues to read, so that the client's close frame is received. */
    private void end(ChannelHandlerContext ctx, WebSocketCloseStatus status, String reason) {
        ended = true;
        ctx.writeAndFlush(new CloseWebSocketFrame(status, reason));
        closeMessages();
        dropWaiting();
        dropStream();
        pause.resume(ReadPauseHandler.Cause.ENDING);
        pause.resume(ReadPauseHandler.Cause.IN_FLIGHT);
    }

    private void closeMessages() {
        if (messages != null) {
            messages.close();
        }
    }

    private void dropWaiting() {
        if (running != null) {
            running.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        ended = true;
        closeMessages();
        dropWaiting();
        dropStream();
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.warn("WebSocket failed", cause);
        }
        ctx.close();
    }

    /** An answer in fragments of one message, the last of which is missing if the result breaks off. Confined to its event loop. */
    private static final class FragmentedAnswer extends StreamedAnswer {

        FragmentedAnswer(ChannelHandlerContext ctx, ResultStream result, Consumer<Boolean> ended) {
            super(ctx, result, ended);
        }

        @Override
        protected void writePiece(ByteBuf piece) {
            write(new ContinuationWebSocketFrame(false, 0, piece), piece.readableBytes());
        }

        @Override
        public ChannelFuture end() {
            return writeLast(new ContinuationWebSocketFrame(true, 0, buffer(AFTER_RESULT)), AFTER_RESULT.length);
        }
    }

    /** An answer that is sent in fragments of one message while it arrives. Confined to its event loop. */
    private record StreamedMessage(StreamedAnswer answer, MessageSink sink) {

        /** Sends what comes before the result. */
        void begin(ByteBufAllocator allocator, byte[] before) {
            ByteBuf head = allocator.ioBuffer(before.length).writeBytes(before);
            answer.begin(new TextWebSocketFrame(false, 0, head), before.length);
        }

        void end() {
            answer.end().addListener(done -> over(done.isSuccess()));
        }

        /** Gives back what the answer holds. */
        void over(boolean whole) {
            answer.close();
            sink.end(answer.bytes(), whole);
        }
    }

    /** Receiver of the answer to one message. Confined to its event loop. */
    private final class MessageSink implements AnswerSink, SessionRequest {

        private final ChannelHandlerContext ctx;
        private final SessionMessages session;
        private final Network network = granted.network();
        /** Counts the bytes of the message and its answer. */
        private final Reservation reservation;
        /** Records the answer; null if the access log is off. */
        private final @Nullable AccessLogEntry entry;

        private @Nullable List<Runnable> afterAnswer;
        private @Nullable List<Runnable> whenLeft;
        private boolean answered;

        MessageSink(
                ChannelHandlerContext ctx,
                SessionMessages session,
                Reservation reservation,
                @Nullable AccessLogEntry entry) {
            this.ctx = ctx;
            this.session = session;
            this.reservation = reservation;
            this.entry = entry;
        }

        /** Notes that the answer was sent, or never will be. */
        void end(long sentBytes, boolean whole) {
            reservation.close();
            if (entry != null) {
                entry.end(0, sentBytes, whole);
            }
        }

        @Override
        public void accept(RequestAnswer answer) {
            answered = true;
            if (whenLeft != null) {
                whenLeft.forEach(session::forget);
                whenLeft = null;
            }
            try {
                answered(ctx, this, answer);
            } catch (RuntimeException | Error e) {
                end(0, false);
                exceptionCaught(ctx, e);
            }
            List<Runnable> actions = afterAnswer;
            afterAnswer = null;
            if (actions != null && session.isOpen()) {
                actions.forEach(Runnable::run);
            }
        }

        @Override
        public boolean isGone() {
            return !session.isOpen();
        }

        @Override
        public boolean takesStream() {
            return !ended && streamed == null;
        }

        @Override
        public void whenClientLeaves(Runnable action) {
            if (!answered) {
                whenLeft = whenLeft == null ? new ArrayList<>(1) : whenLeft;
                whenLeft.add(action);
                session.whenClosed(action);
            }
        }

        @Override
        public @Nullable InetAddress clientAddress() {
            return client;
        }

        @Override
        public @Nullable TraceHeaders traceHeaders() {
            return handshake.source().trace();
        }

        @Override
        public SessionRequest sessionRequest() {
            return this;
        }

        @Override
        public ClientSession session() {
            return session;
        }

        @Override
        public void bind() {
            SessionHandler.this.bind(ctx, network);
        }

        @Override
        public void afterAnswer(Runnable action) {
            afterAnswer = afterAnswer == null ? new ArrayList<>(1) : afterAnswer;
            afterAnswer.add(action);
        }
    }

    /** A timer for the expiry of the key of an open WebSocket, whose client may send nothing any more. Confined to its event loop. */
    private static final class ExpiryTimer {

        /** The longest time between two looks at the system's clock, which may be set. */
        private static final long MAX_MILLIS = TimeUnit.MINUTES.toMillis(1);

        private final Runnable action;
        private @Nullable Future<?> timer;

        /** @param action runs once the key has expired */
        ExpiryTimer(Runnable action) {
            this.action = action;
        }

        /** Watches a key in place of the one before. Keys that cannot expire need no timer. */
        void watch(EventExecutor loop, KeyBounds bounds) {
            stop();
            if (bounds.expires()) {
                long millis = Math.min(bounds.millisLeft(), MAX_MILLIS);
                timer = loop.schedule(() -> check(loop, bounds), millis, TimeUnit.MILLISECONDS);
            }
        }

        private void check(EventExecutor loop, KeyBounds bounds) {
            if (bounds.isExpired()) {
                action.run();
            } else {
                watch(loop, bounds);
            }
        }

        /** Watches nothing any more. */
        void stop() {
            if (timer != null) {
                timer.cancel(false);
                timer = null;
            }
        }
    }
}
