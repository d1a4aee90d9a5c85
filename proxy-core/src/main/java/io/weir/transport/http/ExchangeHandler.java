package io.weir.transport.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.ReferenceCountUtil;
import io.weir.jsonrpc.ReplyText;
import io.weir.limit.Reservation;
import io.weir.metrics.RateLimitedLogger;
import io.weir.pipeline.RequestAnswer;
import io.weir.transport.answer.AnswerStyle;
import io.weir.transport.answer.GzipPieces;
import io.weir.transport.answer.HttpAnswers;
import io.weir.transport.answer.StreamedAnswer;
import io.weir.transport.log.AccessLogEntry;
import io.weir.transport.request.ConnectionCalls;
import io.weir.transport.request.Drain;
import io.weir.transport.request.LingeringCloseHandler;
import io.weir.transport.request.ListenerContext;
import io.weir.transport.request.LoopTurns;
import io.weir.transport.request.ReadPauseHandler;
import io.weir.transport.request.Rejection;
import io.weir.upstream.ResultStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Runs the requests of a connection and answers them in order, in whatever order they end. Confined to its event loop.
 */
final class ExchangeHandler extends ChannelInboundHandlerAdapter implements Exchange.Owner {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(ExchangeHandler.class));

    private static final int STREAM_STATUS = 200;

    /** Requests of one connection in one turn of the event loop. The next ones wait until other connections had theirs. */
    private static final int MAX_IN_TURN = 64;

    private final ListenerContext listener;
    private final HttpAnswers answers;
    private final LoopTurns turns;
    private final ReadPauseHandler pause;
    private final HttpPipeline.Upgrade upgrade;
    private final BooleanSupplier midRequest;
    private final boolean ownsCalls;

    private final Queue<Exchange> exchanges = new ArrayDeque<>(2);
    private @Nullable ChannelHandlerContext context;
    private @Nullable ConnectionCalls running;
    private @Nullable AccessLogEntry entry;
    private boolean continueExpected;
    private int inTurn;

    /** Whether the answers of a turn are flushed together at its end. */
    private boolean gathering;

    private boolean draining;
    /** Whether the answer that is being sent while it arrives has told the client that the connection closes. */
    private boolean closeAnnounced;

    /** Whether no more input can arrive. */
    private boolean inputClosed;

    /** Whether no more requests are accepted: the answer to the last one closes the connection. */
    private boolean lastAccepted;

    /** Whether nothing more is sent. */
    private boolean ended;

    /**
     * @param answers writes answers
     * @param turns in which answers are compressed
     * @param upgrade takes over connections that become WebSockets
     * @param midRequest returns whether a request has begun to arrive and not ended
     * @param shared the calls of all streams of the connection; null if it has no streams
     */
    ExchangeHandler(
            ListenerContext listener,
            HttpAnswers answers,
            LoopTurns turns,
            HttpPipeline.Upgrade upgrade,
            ReadPauseHandler pause,
            BooleanSupplier midRequest,
            @Nullable ConnectionCalls shared) {
        this.turns = turns;
        this.listener = listener;
        this.answers = answers;
        this.upgrade = upgrade;
        this.pause = pause;
        this.midRequest = midRequest;
        this.running = shared;
        this.ownsCalls = shared == null;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    boolean isBusy() {
        return !exchanges.isEmpty();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (lastAccepted || ended) {
            drop(message);
        } else if (message instanceof ClientRequest.Begun begun) {
            entry = begun.entry();
        } else if (message instanceof ClientRequest.Calls calls) {
            run(ctx, calls);
        } else if (message instanceof ClientRequest.Rejected rejected) {
            reject(ctx, rejected);
        } else if (message instanceof ClientRequest.Preflight preflight) {
            begin(ctx, preflight.style(), listener.bytes().reserve()).answer(new RequestAnswer.Nothing());
            answerReady(ctx);
        } else if (message instanceof ClientRequest.HealthCheck check) {
            begin(ctx, check.style(), listener.bytes().reserve())
                    .answerHealthCheck(listener.readiness().ready());
            answerReady(ctx);
        } else if (message instanceof ClientRequest.ContinueExpected) {
            continueExpected = true;
            sendContinue(ctx);
        } else if (message instanceof ClientRequest.Handshake handshake) {
            upgrade(ctx, handshake);
        } else if (message instanceof ClientRequest.CutOff) {
            inputClosed = true;
            closeIfFinished(ctx);
        }
    }

    private void run(ChannelHandlerContext ctx, ClientRequest.Calls calls) {
        if (running == null) {
            running = new ConnectionCalls(listener, pause, ctx.channel().eventLoop());
        }
        AccessLogEntry startedEntry = entry;
        Exchange exchange = begin(ctx, calls.style(), calls.body().reservation());
        exchange.cameFrom(calls.source());
        exchange.ownedBy(this);
        if (inputClosed) {
            exchange.clientLeft();
        }
        running.run(calls.body(), calls.granted(), startedEntry, exchange);
    }

    @Override
    public boolean isNext(Exchange exchange) {
        return !ended && exchanges.peek() == exchange;
    }

    @Override
    public void answered(Exchange exchange, RequestAnswer answer) {
        ChannelHandlerContext ctx = context;
        if (ended || ctx == null) {
            exchange.release();
            return;
        }
        try {
            if (answer instanceof RequestAnswer.One one && one.stream() != null) {
                stream(ctx, exchange, one, one.stream());
                return;
            }
            exchange.answer(answer);
            if (exchange.style().gzip()) {
                exchange.compress(ctx, turns, () -> answerReady(ctx));
            }
            answerReady(ctx);
        } catch (RuntimeException | Error e) {
            // The close of the connection releases the parts that were not sent.
            exchange.release();
            exceptionCaught(ctx, e);
        }
    }

    /** Sends a result while it arrives. Nothing else is sent before its end, because the exchange stays the first one. */
    private void stream(ChannelHandlerContext ctx, Exchange exchange, RequestAnswer.One answer, ResultStream result) {
        if (!isNext(exchange)) {
            throw new IllegalStateException("answer: a stream behind other answers (expected: the next one)");
        }
        Consumer<Boolean> atEnd = whole -> streamEnded(ctx, exchange, whole);
        byte[] before = ReplyText.beforeResult(answer.id());
        AnswerStyle.Streaming form = exchange.style().streaming();
        GzipPieces gzip = exchange.style().gzip() ? exchange.pieces() : null;
        StreamedAnswer streamed = gzip == null
                ? new BodyAnswer(ctx, result, atEnd, form)
                : new CompressedAnswer(ctx, result, before, atEnd, form, gzip, turns);
        exchange.streams(answer, streamed);
        closeAnnounced = !exchange.style().keepAlive() || isFinishedBut(1);
        AnswerStyle style = closeAnnounced ? exchange.style().closing() : exchange.style();
        ByteBuf beginning = answers.writeBeforeStream(
                ctx.alloc(), answer, style, gzip != null, gzip == null ? before : GzipPieces.header());
        streamed.begin(beginning, beginning.readableBytes());
    }

    private void streamEnded(ChannelHandlerContext ctx, Exchange exchange, boolean whole) {
        StreamedAnswer streamed = exchange.streamed();
        if (ended || streamed == null) {
            return;
        }
        if (!whole) {
            ended = true;
            dropWaiting();
            exchange.streamEnded(STREAM_STATUS, streamed.bytes(), false);
            ctx.close();
            return;
        }
        ChannelFuture sent = streamed.end();
        exchanges.remove();
        boolean last = closeAnnounced || isFinished();
        if (last) {
            ended = true;
            pause.discard();
            abandon();
        }
        sent.addListener(done -> exchange.streamEnded(STREAM_STATUS, streamed.bytes(), done.isSuccess()));
        if (last) {
            sent.addListener(done -> LingeringCloseHandler.close(ctx));
        } else {
            answerReady(ctx);
            goOn(ctx);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        Exchange first = exchanges.peek();
        StreamedAnswer streamed = first == null ? null : first.streamed();
        if (streamed != null) {
            streamed.follow();
        }
        ctx.fireChannelWritabilityChanged();
    }

    private static void drop(Object message) {
        if (message instanceof ClientRequest.Calls calls) {
            calls.body().reservation().close();
        }
        ReferenceCountUtil.release(message);
    }

    private void reject(ChannelHandlerContext ctx, ClientRequest.Rejected rejected) {
        listener.rejections().count(rejected.rejection().reason());
        begin(ctx, rejected.style(), listener.bytes().reserve()).reject(rejected.rejection());
        answerReady(ctx);
    }

    private void upgrade(ChannelHandlerContext ctx, ClientRequest.Handshake handshake) {
        if (exchanges.isEmpty() && !pause.holdsMessages()) {
            ChannelPipeline pipeline = ctx.pipeline();
            upgrade.take(ctx, handshake, entry);
            if (draining) {
                pipeline.fireUserEventTriggered(Drain.NOW);
            }
        } else {
            Rejection rejection =
                    new Rejection(Rejection.Reason.HANDSHAKE, "handshake: behind open requests (expected: alone)");
            reject(ctx, new ClientRequest.Rejected(rejection, AnswerStyle.LAST));
        }
    }

    private Exchange begin(ChannelHandlerContext ctx, AnswerStyle style, Reservation reservation) {
        if (entry == null) {
            // The headers of this request could not be read.
            entry = listener.logEntry(ctx.channel(), null);
        }
        Exchange exchange = new Exchange(style, reservation, entry);
        entry = null;
        exchanges.add(exchange);
        continueExpected = false;
        lastAccepted = !style.keepAlive();
        if (exchanges.size() >= listener.limits().pipelined()) {
            pause.pause(ReadPauseHandler.Cause.IN_FLIGHT);
        }
        if (++inTurn == MAX_IN_TURN) {
            pause.pause(ReadPauseHandler.Cause.TURN);
            // Scheduled, because a loop runs all executed tasks before it checks its sockets again.
            ctx.executor().schedule(() -> nextTurn(ctx), 0, TimeUnit.NANOSECONDS);
        }
        return exchange;
    }

    private void nextTurn(ChannelHandlerContext ctx) {
        inTurn = 0;
        gathering = true;
        try {
            pause.resume(ReadPauseHandler.Cause.TURN);
        } finally {
            gathering = false;
            ctx.flush();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (inTurn < MAX_IN_TURN) {
            inTurn = 0;
        }
        ctx.fireChannelReadComplete();
    }

    /** Sends the answers that are next in order. */
    private void answerReady(ChannelHandlerContext ctx) {
        if (ended) {
            return;
        }
        boolean any = false;
        for (Exchange next = exchanges.peek(); next != null && next.isReady(); next = exchanges.peek()) {
            exchanges.remove();
            boolean last = !next.style().keepAlive() || isFinished();
            ByteBuf bytes = bytes(ctx, next, last ? next.style().closing() : next.style());
            if (bytes == null) {
                return;
            }
            any = true;
            if (last) {
                end(ctx, bytes, next);
                return;
            }
            ctx.write(HttpAnswers.message(bytes, ctx.alloc())).addListener(next);
        }
        if (any) {
            if (!gathering) {
                ctx.flush();
            }
            goOn(ctx);
        }
    }

    /** Lets the client send more after an answer. */
    private void goOn(ChannelHandlerContext ctx) {
        sendContinue(ctx);
        if (exchanges.size() < listener.limits().pipelined()) {
            pause.resume(ReadPauseHandler.Cause.IN_FLIGHT);
        }
    }

    /** Returns an answer as bytes, or null on a failure such as exhausted memory: then the connection closes. */
    private @Nullable ByteBuf bytes(ChannelHandlerContext ctx, Exchange next, AnswerStyle style) {
        try {
            return next.bytes(answers, ctx.alloc(), style);
        } catch (RuntimeException | Error e) {
            next.release();
            exceptionCaught(ctx, e);
            return null;
        }
    }

    /** Returns whether no answer is outstanding and no more requests can come. */
    private boolean isFinished() {
        return isFinishedBut(0);
    }

    /** Returns whether the connection ends with this number of exchanges that are open still. */
    private boolean isFinishedBut(int open) {
        return exchanges.size() == open
                && !pause.holdsMessages()
                && (inputClosed || (draining && !midRequest.getAsBoolean()));
    }

    /** Asks a waiting client to send its body, after all earlier answers. */
    private void sendContinue(ChannelHandlerContext ctx) {
        if (continueExpected && exchanges.isEmpty()) {
            continueExpected = false;
            ctx.writeAndFlush(answers.writeContinue(ctx.alloc()), ctx.voidPromise());
        }
    }

    private void end(ChannelHandlerContext ctx, ByteBuf bytes, Exchange last) {
        ended = true;
        pause.discard();
        abandon();
        ctx.writeAndFlush(HttpAnswers.message(bytes, ctx.alloc()))
                .addListener(last)
                .addListener(written -> LingeringCloseHandler.close(ctx));
    }

    /** Abandons unsent answers. Running calls keep their reservations until they are answered. */
    private void abandon() {
        // First, so that none begins in the place of a call that ends here.
        dropWaiting();
        exchanges.forEach(Exchange::abandon);
        exchanges.clear();
    }

    /** Drops the calls that have not begun. */
    private void dropWaiting() {
        if (running != null && ownsCalls) {
            running.close();
        } else if (running != null) {
            exchanges.forEach(running::drop);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof Drain) {
            draining = true;
        } else if (event instanceof ChannelInputShutdownEvent) {
            inputClosed = true;
            // A call that waits ends now, and its exchange with it.
            List.copyOf(exchanges).forEach(Exchange::clientLeft);
        }
        closeIfFinished(ctx);
        ctx.fireUserEventTriggered(event);
    }

    private void closeIfFinished(ChannelHandlerContext ctx) {
        if (!ended && isFinished()) {
            ended = true;
            ctx.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        ended = true;
        abandon();
        if (entry != null) {
            entry.end(0, 0, false);
            entry = null;
        }
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.warn("connection failed", cause);
        }
        ctx.close();
    }
}
