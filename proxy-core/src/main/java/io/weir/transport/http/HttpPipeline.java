package io.weir.transport.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import io.weir.transport.answer.AnswerStyle;
import io.weir.transport.answer.HttpAnswers;
import io.weir.transport.coding.LoopTurns;
import io.weir.transport.http1.Framing;
import io.weir.transport.http1.RequestDecoder;
import io.weir.transport.http1.RequestHeadLimitException;
import io.weir.transport.request.ConnectionCalls;
import io.weir.transport.request.ListenerContext;
import io.weir.transport.request.ReadPauseHandler;
import io.weir.transport.request.Rejection;
import org.jspecify.annotations.Nullable;

/** The handlers of an HTTP connection, in order. Thread-safe; one for a listener. */
public final class HttpPipeline {

    private final ListenerContext listener;
    private final SharedParts parts;
    private final LoopTurns unpacking = new LoopTurns();

    /**
     * Creates the shared parts of the handlers.
     *
     * @param upgrade takes over connections that become WebSockets
     */
    public HttpPipeline(ListenerContext listener, Upgrade upgrade) {
        this.listener = listener;
        this.parts = new SharedParts(listener, new HttpAnswers(listener.clock()), new AnswerCompressor(), upgrade);
    }

    /** Adds the handlers to a new connection's pipeline. */
    public void install(ChannelPipeline pipeline) {
        ReadPauseHandler pause = new ReadPauseHandler();
        RequestDecoder decoder = new RequestDecoder(listener.limits(), listener.headAccount(pipeline.channel()), pause);
        pause.whenNothingIsHeld(decoder::endWait);
        ExchangeHandler exchanges = new ExchangeHandler(parts, pause, decoder::isMidRequest, null);
        pipeline.addLast(decoder)
                .addLast(new RequestTimeoutHandler(listener, decoder, pause, exchanges::isBusy))
                .addLast(pause)
                .addLast(new FramingHandler())
                .addLast(new BodyHandler(listener, pause, unpacking))
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
                .addLast(new BodyHandler(listener, pause, unpacking))
                .addLast(new ExchangeHandler(parts, pause, () -> false, calls));
        return pause;
    }

    /**
     * Removes the HTTP handlers. Bytes that were read but not decoded go to the handler after the decoder's position.
     */
    public static void remove(ChannelPipeline pipeline) {
        pipeline.get(ReadPauseHandler.class).whenNothingIsHeld(() -> {});
        pipeline.remove(RequestTimeoutHandler.class);
        pipeline.remove(FramingHandler.class);
        pipeline.remove(BodyHandler.class);
        pipeline.remove(ExchangeHandler.class);
        pipeline.remove(RequestDecoder.class);
    }

    /**
     * Passes only requests whose framing is unambiguous. After any other request, nothing of the connection is trusted.
     * Confined to its event loop.
     */
    private static final class FramingHandler extends ChannelInboundHandlerAdapter {

        private boolean distrusted;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (distrusted) {
                ReferenceCountUtil.release(message);
                return;
            }
            Rejection rejection = rejection(message);
            if (rejection == null) {
                ctx.fireChannelRead(message);
            } else {
                distrusted = true;
                ReferenceCountUtil.release(message);
                ctx.fireChannelRead(new ClientRequest.Rejected(rejection, AnswerStyle.LAST));
            }
        }

        private static @Nullable Rejection rejection(Object message) {
            if (!(message instanceof HttpObject part)) {
                return null;
            }
            DecoderResult result = part.decoderResult();
            if (result.isFailure()) {
                return unreadable(result.cause());
            }
            if (!(part instanceof HttpRequest request)) {
                return null;
            }
            String fault = Framing.fault(request);
            if (fault != null) {
                return new Rejection(Rejection.Reason.FRAMING, fault);
            }
            Framing.toOriginForm(request);
            return null;
        }

        private static Rejection unreadable(Throwable cause) {
            if (cause instanceof RequestHeadLimitException bound) {
                Rejection.Reason reason = bound.isOverload() ? Rejection.Reason.OVERLOAD : Rejection.Reason.HEADERS;
                return new Rejection(reason, String.valueOf(bound.getMessage()));
            }
            if (cause instanceof TooLongHttpLineException) {
                return new Rejection(Rejection.Reason.HEADERS, "request line: too long");
            }
            if (cause instanceof TooLongHttpHeaderException) {
                return new Rejection(Rejection.Reason.HEADERS, "headers: too large");
            }
            // The cause's message may repeat request content, such as a key.
            return new Rejection(Rejection.Reason.FRAMING, "request: not HTTP/1.1 (expected: RFC 9112)");
        }
    }
}
