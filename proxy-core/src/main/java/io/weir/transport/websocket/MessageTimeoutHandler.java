package io.weir.transport.websocket;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.Future;
import io.weir.transport.entry.ListenerContext;
import io.weir.transport.entry.ReadPauseHandler;
import io.weir.transport.entry.Rejection;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes WebSockets whose messages do not arrive whole in time. Stands behind the handler that puts them together; only a
 * message that takes more than one read costs a timer. Confined to its event loop.
 */
final class MessageTimeoutHandler extends ChannelInboundHandlerAdapter {

    private final ListenerContext door;
    private final FrameDecoder frames;
    private final MessageHandler messages;
    private final ReadPauseHandler pause;
    private @Nullable Future<?> timer;
    private long timed;

    MessageTimeoutHandler(ListenerContext door, FrameDecoder frames, MessageHandler messages, ReadPauseHandler pause) {
        this.door = door;
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
        timer = ctx.executor().schedule(() -> check(ctx), door.config().requestTimeoutMillis(), TimeUnit.MILLISECONDS);
    }

    private void check(ChannelHandlerContext ctx) {
        timer = null;
        if (pause.isPaused()) {
            // The time in which nothing is read is not the client's.
            arm(ctx);
        } else if (isMidMessage()) {
            door.refusals().count(Rejection.Reason.SLOW);
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
