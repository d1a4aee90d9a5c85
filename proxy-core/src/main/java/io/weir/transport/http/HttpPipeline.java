package io.weir.transport.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.util.concurrent.Future;
import io.weir.config.ServerConfig;
import io.weir.transport.answer.AnswerStyle;
import io.weir.transport.answer.HttpAnswers;
import io.weir.transport.http1.RequestDecoder;
import io.weir.transport.log.AccessLogEntry;
import io.weir.transport.request.ConnectionCalls;
import io.weir.transport.request.ListenerContext;
import io.weir.transport.request.LoopTurns;
import io.weir.transport.request.ReadPauseHandler;
import io.weir.transport.request.Rejection;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The handlers of an HTTP connection, in order. Thread-safe; one for a listener. */
public final class HttpPipeline {

    private final ListenerContext listener;
    private final HttpAnswers answers;
    private final Upgrade upgrade;
    private final LoopTurns turns = new LoopTurns();

    /** @param upgrade takes over connections that become WebSockets */
    public HttpPipeline(ListenerContext listener, Upgrade upgrade) {
        this.listener = listener;
        this.answers = new HttpAnswers(listener.clock());
        this.upgrade = upgrade;
    }

    /** Adds the handlers to a new connection's pipeline. */
    public void install(ChannelPipeline pipeline) {
        ReadPauseHandler pause = new ReadPauseHandler();
        RequestDecoder decoder = new RequestDecoder(listener.limits(), listener.headAccount(pipeline.channel()), pause);
        pause.whenNothingIsHeld(decoder::endWait);
        ExchangeHandler exchanges = exchanges(pause, decoder::isMidRequest, null);
        pipeline.addLast(decoder)
                .addLast(new RequestTimeoutHandler(decoder, pause, exchanges::isBusy))
                .addLast(pause)
                .addLast(new BodyHandler(listener, pause, turns))
                .addLast(exchanges);
    }

    /**
     * Adds the handlers of one request to the pipeline of a new stream, whose earlier handlers turn frames into the parts of a request, and
     * the bytes of its answer into frames.
     *
     * @param calls of all streams of the connection
     * @return the pause of the stream's reading
     */
    public ReadPauseHandler installStream(ChannelPipeline pipeline, ConnectionCalls calls) {
        ReadPauseHandler pause = new ReadPauseHandler();
        pipeline.addLast(pause)
                .addLast(new BodyHandler(listener, pause, turns))
                .addLast(exchanges(pause, () -> false, calls));
        return pause;
    }

    private ExchangeHandler exchanges(
            ReadPauseHandler pause, BooleanSupplier midRequest, @Nullable ConnectionCalls shared) {
        return new ExchangeHandler(listener, answers, turns, upgrade, pause, midRequest, shared);
    }

    /**
     * Removes the HTTP handlers. Bytes that were read but not decoded go to the handler after the decoder's position.
     */
    public static void remove(ChannelPipeline pipeline) {
        pipeline.get(ReadPauseHandler.class).whenNothingIsHeld(() -> {});
        pipeline.remove(RequestTimeoutHandler.class);
        pipeline.remove(BodyHandler.class);
        pipeline.remove(ExchangeHandler.class);
        pipeline.remove(RequestDecoder.class);
    }

    /** The takeover of a connection that switches from HTTP to another protocol. Thread-safe. */
    @FunctionalInterface
    public interface Upgrade {

        /**
         * Answers the handshake, changes the pipeline and continues with the new protocol. Called on the connection's event
         * loop.
         *
         * @param entry the log entry of the handshake, or null if the access log is off
         */
        void take(ChannelHandlerContext ctx, ClientRequest.Handshake handshake, @Nullable AccessLogEntry entry);
    }

    /**
     * Rejects requests that do not arrive completely in time, and closes idle connections. Only a request that takes more
     * than one read needs a timer. Confined to its event loop.
     */
    private final class RequestTimeoutHandler extends ChannelDuplexHandler {

        private final long idleNanos;
        private final long headerNanos;
        private final long requestNanos;
        private final RequestDecoder decoder;
        private final ReadPauseHandler pause;
        private final BooleanSupplier busy;
        private @Nullable Future<?> timer;
        private long timerNanos;
        private boolean midRequest;
        private long midRequestEnded;
        private long sinceNanos;

        /** @param busy returns whether answers are outstanding: then the connection is not idle */
        RequestTimeoutHandler(RequestDecoder decoder, ReadPauseHandler pause, BooleanSupplier busy) {
            ServerConfig config = listener.config();
            this.idleNanos = TimeUnit.MILLISECONDS.toNanos(config.idleMillis());
            this.headerNanos = TimeUnit.MILLISECONDS.toNanos(listener.limits().headMillis());
            this.requestNanos = TimeUnit.MILLISECONDS.toNanos(config.requestTimeoutMillis());
            this.decoder = decoder;
            this.pause = pause;
            this.busy = busy;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            sinceNanos = now(ctx);
            arm(ctx, quietNanos());
            ctx.fireChannelActive();
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            boolean newRequest = !midRequest || midRequestEnded != decoder.ended();
            midRequest = decoder.isMidRequest();
            midRequestEnded = decoder.ended();
            if (midRequest && newRequest) {
                sinceNanos = now(ctx);
                if (timerNanos - sinceNanos > allowedNanos()) {
                    arm(ctx, allowedNanos());
                }
            } else if (!midRequest) {
                sinceNanos = now(ctx);
            }
            ctx.fireChannelReadComplete();
        }

        @Override
        public void flush(ChannelHandlerContext ctx) {
            if (!midRequest) {
                sinceNanos = now(ctx);
            }
            ctx.flush();
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext ctx) {
            disarm();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            disarm();
            ctx.fireChannelInactive();
        }

        private void check(ChannelHandlerContext ctx) {
            long now = now(ctx);
            boolean mid = midRequest && !pause.isPaused();
            if (!mid && (busy.getAsBoolean() || pause.isPaused())) {
                // The time for answers does not count against the client.
                sinceNanos = now;
            }
            long left = (mid ? allowedNanos() : quietNanos()) - (now - sinceNanos);
            if (left > 0) {
                arm(ctx, midRequest ? Math.min(left, allowedNanos()) : left);
            } else if (mid) {
                Rejection rejection = new Rejection(
                        Rejection.Reason.SLOW,
                        decoder.isInRequestHead()
                                ? "headers: did not arrive in time"
                                : "request: did not arrive whole in time");
                ctx.fireChannelRead(new ClientRequest.Rejected(rejection, AnswerStyle.LAST));
            } else {
                ctx.close();
            }
        }

        /** The time limit without a request. Until the first request it is that of the headers. */
        private long quietNanos() {
            return decoder.ended() == 0 ? Math.min(idleNanos, headerNanos) : idleNanos;
        }

        /** The time limit of a request that has begun to arrive, from its beginning. */
        private long allowedNanos() {
            return decoder.isInRequestHead() ? Math.min(headerNanos, requestNanos) : requestNanos;
        }

        private void arm(ChannelHandlerContext ctx, long nanos) {
            disarm();
            timerNanos = now(ctx) + nanos;
            timer = ctx.executor().schedule(() -> check(ctx), nanos, TimeUnit.NANOSECONDS);
        }

        private static long now(ChannelHandlerContext ctx) {
            return ctx.executor().ticker().nanoTime();
        }

        private void disarm() {
            if (timer != null) {
                timer.cancel(false);
            }
        }
    }
}
