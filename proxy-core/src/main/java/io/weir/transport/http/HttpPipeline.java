package io.weir.transport.http;

import io.netty.channel.ChannelPipeline;
import io.weir.transport.answer.HttpAnswers;
import io.weir.transport.coding.LoopTurns;
import io.weir.transport.http1.RequestDecoder;
import io.weir.transport.request.ConnectionCalls;
import io.weir.transport.request.ListenerContext;
import io.weir.transport.request.ReadPauseHandler;

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
}
