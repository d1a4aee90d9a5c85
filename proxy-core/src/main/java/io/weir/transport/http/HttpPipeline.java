package io.weir.transport.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.weir.transport.answer.HttpAnswers;
import io.weir.transport.entry.ListenerContext;
import io.weir.transport.entry.ReadPauseHandler;
import io.weir.transport.http1.RequestDecoder;
import io.weir.transport.http1.RequestHeadAccount;
import io.weir.transport.peer.ClientAddresses;
import java.net.InetAddress;

/** The handlers of an HTTP connection, in order. Thread-safe; one for a listener. */
public final class HttpPipeline {

    private final ListenerContext door;
    private final Upgrade upgrade;
    private final HttpAnswers answers;
    private final AnswerPacking packing;

    /**
     * Lists the handlers.
     *
     * @param upgrade takes connections over that become WebSockets
     */
    public HttpPipeline(ListenerContext door, Upgrade upgrade) {
        this.door = door;
        this.upgrade = upgrade;
        this.answers = new HttpAnswers(door.clock(), door.config().compression().enabled());
        this.packing = new AnswerPacking(door.config().compression(), door.bytes());
    }

    /** Adds the handlers to a new connection's pipeline. */
    public void install(ChannelPipeline pipeline) {
        ReadPauseHandler pause = new ReadPauseHandler();
        RequestDecoder decoder = new RequestDecoder(door.config(), account(pipeline.channel()), backlog(pause));
        pause.whenNothingIsHeld(decoder::waitIsOver);
        ExchangeHandler exchanges = new ExchangeHandler(door, answers, packing, pause, upgrade, decoder::isMidRequest);
        pipeline.addLast(decoder)
                .addLast(new RequestTimeoutHandler(door.config(), decoder, pause, exchanges::isBusy))
                .addLast(pause)
                .addLast(new FramingHandler())
                .addLast(new BodyHandler(door, pause))
                .addLast(exchanges);
    }

    private RequestHeadAccount account(Channel channel) {
        InetAddress peer = ClientAddresses.peer(channel);
        boolean counted = peer != null && !door.clients().isShared(peer);
        return new RequestHeadAccount(door.bytes().share(), door.headBytes(), counted ? peer : null);
    }

    private static RequestDecoder.Backlog backlog(ReadPauseHandler pause) {
        return new RequestDecoder.Backlog() {
            @Override
            public boolean isWaiting() {
                return pause.isPaused() || pause.holdsMessages();
            }

            @Override
            public void drop() {
                pause.discard();
            }
        };
    }

    /**
     * Takes away what speaks HTTP and leaves the rest. Bytes that were read but not understood go to what stands behind the
     * decoder's place.
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
