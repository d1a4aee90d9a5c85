package io.weir.transport.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.weir.transport.answer.HttpAnswers;
import io.weir.transport.http1.RequestDecoder;
import io.weir.transport.log.AccessLogEntry;
import io.weir.transport.request.ConnectionCalls;
import io.weir.transport.request.ListenerContext;
import io.weir.transport.request.LoopTurns;
import io.weir.transport.request.ReadPauseHandler;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The handlers of an HTTP connection, in order. Thread-safe; one for a listener. */
public final class HttpPipeline {

    private final ListenerContext listener;
    private final HttpAnswers answers;
    private final Upgrade upgrade;
    private final LoopTurns turns = new LoopTurns();

    /**
     * Creates the shared parts of the handlers.
     *
     * @param upgrade takes over connections that become WebSockets
     */
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
                .addLast(new RequestTimeoutHandler(listener, decoder, pause, exchanges::isBusy))
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
}
