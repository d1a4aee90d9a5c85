package io.weir.transport.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.websocketx.Utf8FrameValidator;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.weir.limit.Reservation;
import io.weir.transport.entry.BodyBuffer;
import io.weir.transport.entry.ListenerContext;
import io.weir.transport.entry.ReadPauseHandler;
import io.weir.transport.http.ClientRequest;
import io.weir.transport.http.HttpPipeline;
import io.weir.transport.http.Upgrade;
import io.weir.transport.log.AccessLogEntry;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** Makes WebSockets of connections. Thread-safe. */
public final class WebSocketUpgrade implements Upgrade {

    private static final int FLUSH_AT_LATEST_AFTER = 256;

    private final ListenerContext door;
    private final Sessions sessions;
    private final WebSocketDecoderConfig frames;

    public WebSocketUpgrade(ListenerContext door) {
        this(door, SessionHandler::new);
    }

    WebSocketUpgrade(ListenerContext door, Sessions sessions) {
        this.door = door;
        this.sessions = sessions;
        this.frames = WebSocketDecoderConfig.newBuilder()
                .maxFramePayloadLength(door.config().maxFrameBytes())
                .expectMaskedFrames(true)
                .allowMaskMismatch(false)
                .allowExtensions(false)
                .closeOnProtocolViolation(false)
                .build();
    }

    /** Makes the last handler of a WebSocket, which is given each message as a {@link BodyBuffer}. */
    @FunctionalInterface
    interface Sessions {
        ChannelHandler begin(
                ListenerContext door,
                ReadPauseHandler pause,
                ClientRequest.Handshake handshake,
                @Nullable InetAddress client);
    }

    @Override
    public void take(ChannelHandlerContext ctx, ClientRequest.Handshake handshake, @Nullable AccessLogEntry note) {
        ByteBuf answer = ByteBufUtil.writeAscii(
                ctx.alloc(),
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: " + handshake.accept() + "\r\n\r\n");
        if (note != null) {
            note.admitted(
                    handshake.granted().network().id().name(),
                    handshake.granted().caller().name());
            note.end(101, answer.readableBytes(), true);
        }
        ctx.writeAndFlush(answer, ctx.voidPromise());
        ChannelPipeline pipeline = ctx.pipeline();
        ReadPauseHandler pause = pipeline.get(ReadPauseHandler.class);
        Reservation partial = door.bytes().share();
        FrameDecoder decoder = new FrameDecoder(frames, pause, partial);
        MessageHandler messages = new MessageHandler(door, partial);
        String place = pipeline.context(pause).name();
        // Of the many calls of a WebSocket, those that are answered in one turn of the loop go out together.
        pipeline.addBefore(place, null, new FlushConsolidationHandler(FLUSH_AT_LATEST_AFTER, true))
                .addBefore(place, null, new WebSocket13FrameEncoder(false))
                .addBefore(place, null, new WebSocketPingHandler(door.config().idleMillis(), pause))
                .addBefore(place, null, decoder)
                .addLast(new Utf8FrameValidator(false))
                .addLast(messages)
                .addLast(new MessageTimeoutHandler(door, decoder, messages, pause))
                .addLast(sessions.begin(door, pause, handshake, note == null ? null : note.client()));
        // Last: frames that came together with the handshake go on from here.
        HttpPipeline.remove(pipeline);
    }
}
