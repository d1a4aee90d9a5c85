package io.weir.transport.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.ReferenceCountUtil;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Reservation;
import io.weir.metrics.RateLimitedLogger;
import io.weir.pipeline.AnswerSink;
import io.weir.pipeline.RequestAnswer;
import io.weir.transport.answer.AnswerStyle;
import io.weir.transport.answer.HeapAnswer;
import io.weir.transport.answer.HttpAnswers;
import io.weir.transport.entry.ConnectionCalls;
import io.weir.transport.entry.Drain;
import io.weir.transport.entry.LingeringCloseHandler;
import io.weir.transport.entry.ListenerContext;
import io.weir.transport.entry.ReadPauseHandler;
import io.weir.transport.entry.Rejection;
import io.weir.transport.log.AccessLogEntry;
import io.weir.transport.peer.ClientAddresses;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Runs the requests of a connection and answers them in the order asked, however they end. Confined to its event loop.
 */
final class ExchangeHandler extends ChannelInboundHandlerAdapter {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(ExchangeHandler.class));

    private final ListenerContext door;
    private final HttpAnswers answers;
    private final AnswerPacking packing;
    private final ReadPauseHandler pause;
    private final Upgrade upgrade;
    private final BooleanSupplier midRequest;

    private final Queue<Exchange> exchanges = new ArrayDeque<>(2);
    private @Nullable ConnectionCalls running;
    private @Nullable AccessLogEntry note;
    private boolean expectant;
    private boolean draining;
    /** Nothing more is to come. */
    private boolean inputClosed;

    /** Nothing more is taken: the answer to the last request ends the connection. */
    private boolean lastTaken;

    /** Nothing more is sent. */
    private boolean ended;

    /**
     * Serves a connection.
     *
     * @param midRequest whether a request has begun to arrive that has not ended
     */
    ExchangeHandler(
            ListenerContext door,
            HttpAnswers answers,
            AnswerPacking packing,
            ReadPauseHandler pause,
            Upgrade upgrade,
            BooleanSupplier midRequest) {
        this.packing = packing;
        this.door = door;
        this.answers = answers;
        this.pause = pause;
        this.upgrade = upgrade;
        this.midRequest = midRequest;
    }

    /** Whether answers are owed. */
    boolean isBusy() {
        return !exchanges.isEmpty();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (lastTaken || ended) {
            drop(message);
        } else if (message instanceof ClientRequest.Begun begun) {
            note = begun.note();
        } else if (message instanceof ClientRequest.Calls calls) {
            run(ctx, calls);
        } else if (message instanceof ClientRequest.Refused refused) {
            refuse(ctx, refused);
        } else if (message instanceof ClientRequest.Preflight preflight) {
            begin(ctx, preflight.style(), door.bytes().share()).answer(new RequestAnswer.Nothing());
            answerReady(ctx);
        } else if (message instanceof ClientRequest.Expectant) {
            expectant = true;
            encourage(ctx);
        } else if (message instanceof ClientRequest.Handshake handshake) {
            shake(ctx, handshake);
        } else if (message instanceof ClientRequest.CutOff) {
            inputClosed = true;
            closeIfOver(ctx);
        }
    }

    private void run(ChannelHandlerContext ctx, ClientRequest.Calls calls) {
        if (running == null) {
            running = new ConnectionCalls(door, pause, ctx.channel().eventLoop());
        }
        AccessLogEntry noted = note;
        Exchange exchange = begin(ctx, calls.style(), calls.body().share());
        running.run(calls.body(), calls.granted(), noted, new AnswerSink() {
            @Override
            public void keep(RpcReply reply) {
                exchange.keep(reply);
            }

            @Override
            public void accept(RequestAnswer answer) {
                answered(ctx, exchange, answer);
            }
        });
    }

    private void answered(ChannelHandlerContext ctx, Exchange exchange, RequestAnswer answer) {
        if (ended) {
            exchange.release();
            return;
        }
        try {
            exchange.answer(answer);
            packing.begin(ctx, exchange, () -> answerReady(ctx));
            answerReady(ctx);
        } catch (RuntimeException | Error e) {
            // The close of the connection gives up the parts that were not sent.
            exchange.release();
            exceptionCaught(ctx, e);
        }
    }

    private static void drop(Object message) {
        if (message instanceof ClientRequest.Calls calls) {
            calls.body().share().close();
        }
        ReferenceCountUtil.release(message);
    }

    private void refuse(ChannelHandlerContext ctx, ClientRequest.Refused refused) {
        door.refusals().count(refused.refusal().reason());
        begin(ctx, refused.style(), door.bytes().share()).refuse(refused.refusal());
        answerReady(ctx);
    }

    private void shake(ChannelHandlerContext ctx, ClientRequest.Handshake handshake) {
        if (exchanges.isEmpty() && !pause.holdsMessages()) {
            ChannelPipeline pipeline = ctx.pipeline();
            upgrade.take(ctx, handshake, note);
            if (draining) {
                pipeline.fireUserEventTriggered(Drain.NOW);
            }
        } else {
            Rejection refusal =
                    new Rejection(Rejection.Reason.HANDSHAKE, "handshake: behind open requests (expected: alone)");
            refuse(ctx, new ClientRequest.Refused(refusal, AnswerStyle.LAST));
        }
    }

    private Exchange begin(ChannelHandlerContext ctx, AnswerStyle style, Reservation share) {
        if (note == null) {
            // Its head could not be read.
            note = door.note(AccessLogEntry.Protocol.HTTP, ClientAddresses.peer(ctx.channel()));
        }
        Exchange exchange = new Exchange(style, share, note);
        note = null;
        exchanges.add(exchange);
        expectant = false;
        lastTaken = !style.keepAlive();
        if (exchanges.size() >= door.config().maxPipelined()) {
            pause.pause(ReadPauseHandler.Cause.IN_FLIGHT);
        }
        return exchange;
    }

    /** Sends every answer whose turn it is. */
    private void answerReady(ChannelHandlerContext ctx) {
        if (ended) {
            return;
        }
        boolean any = false;
        for (Exchange next = exchanges.peek(); next != null && next.isReady(); next = exchanges.peek()) {
            exchanges.remove();
            boolean last = !next.style().keepAlive() || isOver();
            ByteBuf bytes = bytes(ctx, next, last ? next.style().closing() : next.style());
            if (bytes == null) {
                return;
            }
            any = true;
            if (last) {
                end(ctx, bytes, next);
                return;
            }
            ctx.write(HeapAnswer.message(bytes, ctx.alloc())).addListener(next);
        }
        if (any) {
            ctx.flush();
            encourage(ctx);
            if (exchanges.size() < door.config().maxPipelined()) {
                pause.resume(ReadPauseHandler.Cause.IN_FLIGHT);
            }
        }
    }

    /** An answer as bytes, or null where they cannot be made, as without memory: then the connection ends. */
    private @Nullable ByteBuf bytes(ChannelHandlerContext ctx, Exchange next, AnswerStyle style) {
        try {
            return next.bytes(answers, ctx.alloc(), style);
        } catch (RuntimeException | Error e) {
            next.release();
            exceptionCaught(ctx, e);
            return null;
        }
    }

    /** Whether nothing is owed and nothing more is to come. */
    private boolean isOver() {
        return exchanges.isEmpty()
                && !pause.holdsMessages()
                && (inputClosed || (draining && !midRequest.getAsBoolean()));
    }

    /** Tells a client that waits for it to send its body, when every answer before has been sent. */
    private void encourage(ChannelHandlerContext ctx) {
        if (expectant && exchanges.isEmpty()) {
            expectant = false;
            ctx.writeAndFlush(answers.goOn(ctx.alloc()), ctx.voidPromise());
        }
    }

    private void end(ChannelHandlerContext ctx, ByteBuf bytes, Exchange last) {
        ended = true;
        pause.discard();
        abandon();
        ctx.writeAndFlush(HeapAnswer.message(bytes, ctx.alloc()))
                .addListener(last)
                .addListener(written -> LingeringCloseHandler.close(ctx));
    }

    /** Gives up what will not be sent; what is still being run keeps its share until it is answered. */
    private void abandon() {
        exchanges.forEach(Exchange::abandon);
        exchanges.clear();
        if (running != null) {
            running.close();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof Drain) {
            draining = true;
        } else if (event instanceof ChannelInputShutdownEvent) {
            inputClosed = true;
        }
        closeIfOver(ctx);
        ctx.fireUserEventTriggered(event);
    }

    private void closeIfOver(ChannelHandlerContext ctx) {
        if (!ended && isOver()) {
            ended = true;
            ctx.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        ended = true;
        abandon();
        if (note != null) {
            note.end(0, 0, false);
            note = null;
        }
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.warn("connection: failed inside", cause);
        }
        ctx.close();
    }
}
