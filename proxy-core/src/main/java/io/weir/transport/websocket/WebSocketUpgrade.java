package io.weir.transport.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.Utf8FrameValidator;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.weir.framing.BodyBuffer;
import io.weir.limit.Reservation;
import io.weir.limit.Share;
import io.weir.transport.http.ClientRequest;
import io.weir.transport.http.HttpPipeline;
import io.weir.transport.log.AccessLogEntry;
import io.weir.transport.request.ListenerContext;
import io.weir.transport.request.ReadPauseHandler;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Upgrades connections to WebSockets. Thread-safe. */
public final class WebSocketUpgrade implements HttpPipeline.Upgrade {

    private static final int FLUSH_AT_LATEST_AFTER = 256;

    private final ListenerContext listener;
    private final Sessions sessions;
    private final WebSocketDecoderConfig frames;

    public WebSocketUpgrade(ListenerContext listener) {
        this(listener, SessionHandler::new);
    }

    WebSocketUpgrade(ListenerContext listener, Sessions sessions) {
        this.listener = listener;
        this.sessions = sessions;
        this.frames = WebSocketDecoderConfig.newBuilder()
                .maxFramePayloadLength(listener.config().maxBodyBytes())
                .expectMaskedFrames(true)
                .allowMaskMismatch(false)
                .allowExtensions(false)
                .closeOnProtocolViolation(false)
                .build();
    }

    /** The factory of a WebSocket's last handler, which receives each message as a {@link BodyBuffer}. */
    @FunctionalInterface
    interface Sessions {
        ChannelHandler begin(ListenerContext listener, ReadPauseHandler pause, ClientRequest.Handshake handshake);
    }

    @Override
    public void take(ChannelHandlerContext ctx, ClientRequest.Handshake handshake, @Nullable AccessLogEntry entry) {
        ByteBuf answer = ByteBufUtil.writeAscii(
                ctx.alloc(),
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: " + handshake.accept() + "\r\n\r\n");
        if (entry != null) {
            entry.admitted(
                    handshake.granted().network().id().name(),
                    handshake.granted().caller().name());
            entry.end(101, answer.readableBytes(), true);
        }
        ctx.writeAndFlush(answer, ctx.voidPromise());
        ChannelPipeline pipeline = ctx.pipeline();
        ReadPauseHandler pause = pipeline.get(ReadPauseHandler.class);
        Share bytes = listener.bytes(handshake.granted());
        Reservation partial = bytes.reserve();
        FrameDecoder decoder = new FrameDecoder(frames, pause, partial);
        MessageHandler messages = new MessageHandler(listener, bytes, partial);
        String position = pipeline.context(pause).name();
        // A WebSocket has many calls, and answers of one turn of the loop are flushed together.
        pipeline.addBefore(position, null, new FlushConsolidationHandler(FLUSH_AT_LATEST_AFTER, true))
                .addBefore(position, null, new WebSocket13FrameEncoder(false))
                .addBefore(
                        position,
                        null,
                        new WebSocketPingHandler(listener.config().idleMillis(), pause))
                .addBefore(position, null, decoder)
                .addBefore(position, null, new MessageOrderHandler())
                .addLast(new Utf8FrameValidator(false))
                .addLast(messages)
                .addLast(new MessageTimeoutHandler(listener, decoder, messages, pause))
                .addLast(sessions.begin(listener, pause, handshake));
        // Last, because frames that arrived with the handshake continue from here.
        HttpPipeline.remove(pipeline);
    }

    /**
     * Pings a silent client, and closes the WebSocket if it stays silent. While reading is paused no client counts as
     * silent, because its messages are not read. Confined to its event loop.
     */
    private static final class WebSocketPingHandler extends IdleStateHandler {

        private final ReadPauseHandler pause;
        private boolean pinged;

        /** Sends a ping after half of the idle time. */
        WebSocketPingHandler(long idleMillis, ReadPauseHandler pause) {
            super(Math.max(1, idleMillis / 2), 0, 0, TimeUnit.MILLISECONDS);
            this.pause = pause;
        }

        @Override
        protected void channelIdle(ChannelHandlerContext ctx, IdleStateEvent event) {
            // Written from the end of the pipeline, because the handlers after this one must see close frames.
            if (pause.isPaused()) {
                pinged = false;
            } else if (event.isFirst() || !pinged) {
                pinged = true;
                ctx.pipeline().writeAndFlush(new PingWebSocketFrame());
            } else {
                ctx.pipeline()
                        .writeAndFlush(new CloseWebSocketFrame(WebSocketCloseStatus.POLICY_VIOLATION, "idle"))
                        .addListener(ChannelFutureListener.CLOSE);
            }
        }
    }
}
