package io.weir.upstream.ws;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The end of one WebSocket from this side: a close frame, and the connection's end once that has left. Confined to its event loop. */
final class CloseHandshake {

    /** How long a close frame may take to leave. */
    private static final long MAX_MILLIS = 1000;

    private boolean said;
    private @Nullable ScheduledFuture<?> timer;

    /** Whether a close frame was sent. */
    boolean isSaid() {
        return said;
    }

    /** Sends a close frame where there is a connection and none was sent, and waits for no answer. */
    void say(@Nullable Channel channel) {
        say(channel, new CloseWebSocketFrame(WebSocketCloseStatus.NORMAL_CLOSURE));
    }

    /** The same with a frame of one's own, which it takes over. */
    void say(@Nullable Channel channel, CloseWebSocketFrame frame) {
        if (channel == null || said) {
            frame.release();
            return;
        }
        said = true;
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
