package io.weir.transport.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.Utf8FrameValidator;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.weir.framing.BodyBuffer;
import io.weir.limit.Reservation;
import io.weir.limit.Share;
import io.weir.transport.http.ClientRequest;
import io.weir.transport.http.HttpPipeline;
import io.weir.transport.log.AccessLogEntry;
import io.weir.transport.request.ListenerContext;
import io.weir.transport.request.ReadPauseHandler;
import io.weir.transport.request.Rejection;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Queue;
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
                .addLast(new MessageTimeoutHandler(decoder, messages, pause))
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

    /**
     * Closes WebSockets whose messages do not arrive completely in time. Runs after the handler that assembles messages.
     * Only a message that takes more than one read needs a timer. Confined to its event loop.
     */
    private final class MessageTimeoutHandler extends ChannelInboundHandlerAdapter {

        private final FrameDecoder decoder;
        private final MessageHandler messages;
        private final ReadPauseHandler pause;
        private @Nullable Future<?> timer;
        private long timed;

        MessageTimeoutHandler(FrameDecoder decoder, MessageHandler messages, ReadPauseHandler pause) {
            this.decoder = decoder;
            this.messages = messages;
            this.pause = pause;
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            if (!isMidMessage()) {
                disarm();
            } else if (timer == null || timed != messages.ended()) {
                arm(ctx);
            }
            ctx.fireChannelReadComplete();
        }

        private boolean isMidMessage() {
            return decoder.isMidFrame() || messages.isMidMessage();
        }

        private void arm(ChannelHandlerContext ctx) {
            disarm();
            timed = messages.ended();
            timer = ctx.executor()
                    .schedule(() -> check(ctx), listener.config().requestTimeoutMillis(), TimeUnit.MILLISECONDS);
        }

        private void check(ChannelHandlerContext ctx) {
            timer = null;
            if (pause.isPaused()) {
                // Time in which reading is paused does not count against the client.
                arm(ctx);
            } else if (isMidMessage()) {
                listener.rejections().count(Rejection.Reason.SLOW);
                ctx.pipeline()
                        .writeAndFlush(new CloseWebSocketFrame(
                                WebSocketCloseStatus.POLICY_VIOLATION, "message did not arrive whole in time"));
            }
        }

        private void disarm() {
            if (timer != null) {
                timer.cancel(false);
                timer = null;
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            disarm();
            ctx.fireChannelInactive();
        }
    }

    /**
     * Holds back messages while the fragments of another one are being sent, because nothing but control frames may come between them
     * (RFC 6455, 5.4). The senders bound what waits. Confined to its event loop.
     */
    static final class MessageOrderHandler extends ChannelOutboundHandlerAdapter {

        private final Queue<Held> held = new ArrayDeque<>(0);
        private boolean fragmented;

        /** A message with its promise. Immutable. */
        private record Held(Object message, ChannelPromise promise) {}

        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            if (message instanceof TextWebSocketFrame text) {
                if (fragmented) {
                    held.add(new Held(message, promise));
                    return;
                }
                fragmented = !text.isFinalFragment();
            }
            ctx.write(message, promise);
            if (message instanceof ContinuationWebSocketFrame last && last.isFinalFragment()) {
                fragmented = false;
                release(ctx);
            }
        }

        private void release(ChannelHandlerContext ctx) {
            boolean any = !held.isEmpty();
            for (Held next = held.poll(); next != null; next = fragmented ? null : held.poll()) {
                write(ctx, next.message(), next.promise());
            }
            if (any) {
                ctx.flush();
            }
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext ctx) {
            for (Held next = held.poll(); next != null; next = held.poll()) {
                ReferenceCountUtil.release(next.message());
                if (!next.promise().isVoid()) {
                    next.promise().tryFailure(new ClosedChannelException());
                }
            }
        }
    }
}
