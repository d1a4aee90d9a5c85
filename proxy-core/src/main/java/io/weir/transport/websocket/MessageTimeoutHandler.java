package io.weir.transport.websocket;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.Future;
import io.weir.transport.request.ListenerContext;
import io.weir.transport.request.ReadPauseHandler;
import io.weir.transport.request.Rejection;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes WebSockets whose messages do not arrive completely in time. Runs after the handler that assembles messages.
 * Only a message that takes more than one read needs a timer. Confined to its event loop.
 */
final class MessageTimeoutHandler extends ChannelInboundHandlerAdapter {

    private final ListenerContext listener;
    private final FrameDecoder frames;
    private final MessageHandler messages;
    private final ReadPauseHandler pause;
    private @Nullable Future<?> timer;
    private long timed;

    MessageTimeoutHandler(
            ListenerContext listener, FrameDecoder frames, MessageHandler messages, ReadPauseHandler pause) {
        this.listener = listener;
        this.frames = frames;
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
        return frames.isMidFrame() || messages.isMidMessage();
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
