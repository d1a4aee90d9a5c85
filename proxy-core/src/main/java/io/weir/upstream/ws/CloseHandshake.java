package io.weir.upstream.ws;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Close handshake of one WebSocket from this side: a close frame, then the end of the connection once the frame was sent.
 * Confined to its event loop.
 */
final class CloseHandshake {

    /** Milliseconds for sending a close frame. */
    private static final long MAX_MILLIS = 1000;

    private boolean sent;
    private @Nullable ScheduledFuture<?> timer;

    /** Returns whether a close frame was sent. */
    boolean isSent() {
        return sent;
    }

    /** Sends a close frame if there is a connection and none was sent. Does not wait for an answer. */
    void send(@Nullable Channel channel) {
        send(channel, new CloseWebSocketFrame(WebSocketCloseStatus.NORMAL_CLOSURE));
    }

    /** Sends the given close frame likewise, and takes ownership of it. */
    void send(@Nullable Channel channel, CloseWebSocketFrame frame) {
        if (channel == null || sent) {
            frame.release();
            return;
        }
        sent = true;
        timer = channel.eventLoop().schedule(() -> channel.close(), MAX_MILLIS, TimeUnit.MILLISECONDS);
        channel.writeAndFlush(frame).addListener(ChannelFutureListener.CLOSE);
    }

    /** Notes that the connection has ended. */
    void ended() {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
