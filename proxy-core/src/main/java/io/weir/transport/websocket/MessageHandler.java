package io.weir.transport.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.weir.framing.BodyBuffer;
import io.weir.limit.Reservation;
import io.weir.limit.Share;
import io.weir.transport.request.LingeringCloseHandler;
import io.weir.transport.request.ListenerContext;
import io.weir.transport.request.Rejection;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Assembles frames to messages, answers pings, and closes according to RFC 6455. Passes on each message, text or
 * binary, as a {@link BodyBuffer}. Confined to its event loop.
 */
final class MessageHandler extends ChannelDuplexHandler {

    /** Milliseconds that a client has to answer a close frame. */
    private static final long CLOSE_MILLIS = 1000;

    /** The highest close status that RFC 6455 assigns to applications. */
    private static final int MAX_STATUS = 4999;

    /** Bytes before the reason in a close frame. */
    private static final int STATUS_BYTES = 2;

    private final ListenerContext listener;
    private final int maxMessageBytes;
    private final Share bytes;
    private final Reservation partialFrame;
    private long ended;
    private @Nullable BodyBuffer message;
    private boolean closeSent;
    private @Nullable Future<?> closeTimer;

    /**
     * @param bytes of which the messages take
     * @param partialFrame counts the bytes of unfinished frames
     */
    MessageHandler(ListenerContext listener, Share bytes, Reservation partialFrame) {
        this.listener = listener;
        this.bytes = bytes;
        this.partialFrame = partialFrame;
        this.maxMessageBytes = listener.config().maxBodyBytes();
    }

    /** Returns whether the first frame of a message has arrived and its last has not. */
    boolean isMidMessage() {
        return message != null;
    }

    long ended() {
        return ended;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object read) {
        if (!(read instanceof WebSocketFrame frame)) {
            ctx.fireChannelRead(read);
        } else if (frame instanceof CloseWebSocketFrame close) {
            answerClose(ctx, close);
        } else if (frame instanceof PingWebSocketFrame && !closeSent) {
            ctx.writeAndFlush(new PongWebSocketFrame(frame.content()), ctx.voidPromise());
        } else {
            try {
                if (!closeSent && !(frame instanceof PongWebSocketFrame)) {
                    add(ctx, frame);
                }
            } finally {
                frame.release();
            }
        }
    }

    private void add(ChannelHandlerContext ctx, WebSocketFrame frame) {
        // The decoder passes continuations only after a first frame.
        BodyBuffer whole = frame instanceof ContinuationWebSocketFrame ? message : null;
        if (whole == null) {
            whole = BodyBuffer.ofClient(frame.content().readableBytes(), maxMessageBytes, bytes.reserve());
        }
        message = whole;
        BodyBuffer.AddResult added = whole.add(frame.content(), partialFrame);
        if (added == BodyBuffer.AddResult.TOO_LARGE) {
            giveUp(ctx, WebSocketCloseStatus.MESSAGE_TOO_BIG, "message too large");
        } else if (added == BodyBuffer.AddResult.OVER_BUDGET) {
            overloaded(ctx);
        } else if (frame.isFinalFragment()) {
            message = null;
            ended++;
            ctx.fireChannelRead(whole);
        }
    }

    private void overloaded(ChannelHandlerContext ctx) {
        listener.rejections().count(Rejection.Reason.OVERLOAD);
        giveUp(ctx, WebSocketCloseStatus.TRY_AGAIN_LATER, "overloaded");
    }

    private void giveUp(ChannelHandlerContext ctx, WebSocketCloseStatus status, String reason) {
        releaseMessage();
        ctx.pipeline().writeAndFlush(new CloseWebSocketFrame(status, reason));
    }

    private void releaseMessage() {
        if (message != null) {
            message.reservation().close();
            message = null;
        }
    }

    private void answerClose(ChannelHandlerContext ctx, CloseWebSocketFrame close) {
        if (closeSent) {
            close.release();
            ctx.close();
        } else {
            closeSent = true;
            ctx.writeAndFlush(answerTo(close)).addListener(ChannelFutureListener.CLOSE);
        }
    }

    /**
     * Returns the same frame, unless its status must not be sent or its reason ends within a character. The decoder
     * accepts both.
     */
    private static CloseWebSocketFrame answerTo(CloseWebSocketFrame close) {
        ByteBuf content = close.content();
        int reasonBytes = Math.max(0, content.readableBytes() - STATUS_BYTES);
        boolean isText = ByteBufUtil.isText(content, content.writerIndex() - reasonBytes, reasonBytes, UTF_8);
        if (close.statusCode() <= MAX_STATUS && isText) {
            return close;
        }
        WebSocketCloseStatus status =
                isText ? WebSocketCloseStatus.PROTOCOL_ERROR : WebSocketCloseStatus.INVALID_PAYLOAD_DATA;
        close.release();
        return new CloseWebSocketFrame(status);
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object written, ChannelPromise promise) {
        if (closeSent) {
            ReferenceCountUtil.release(written);
            // A void promise would raise the failure in the pipeline, but a late write is not a failure.
            if (!promise.isVoid()) {
                promise.tryFailure(new IllegalStateException("WebSocket: closing (expected: open)"));
            }
            return;
        }
        if (written instanceof CloseWebSocketFrame) {
            closeSent = true;
            ctx.write(written, promise.unvoid()).addListener(sent -> awaitClose(ctx));
        } else {
            ctx.write(written, promise);
        }
    }

    private void awaitClose(ChannelHandlerContext ctx) {
        if (ctx.channel().isActive()) {
            closeTimer = ctx.executor().schedule(() -> ctx.close(), CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            ctx.close();
        } else if (FrameDecoder.OVER_BUDGET.equals(event) && !closeSent) {
            overloaded(ctx);
        }
        ctx.fireUserEventTriggered(event);
    }

    /** Sends the reason and reads nothing more, because the frame boundaries are lost. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof CorruptedWebSocketFrameException violation)) {
            ctx.fireExceptionCaught(cause);
        } else if (!closeSent) {
            releaseMessage();
            closeSent = true;
            ctx.writeAndFlush(new CloseWebSocketFrame(violation.closeStatus()))
                    .addListener(sent -> LingeringCloseHandler.close(ctx));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (closeTimer != null) {
            closeTimer.cancel(false);
        }
        releaseMessage();
        ctx.fireChannelInactive();
    }
}
