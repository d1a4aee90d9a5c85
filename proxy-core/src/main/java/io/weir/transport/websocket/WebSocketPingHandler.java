package io.weir.transport.websocket;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.weir.transport.entry.ReadPauseHandler;
import java.util.concurrent.TimeUnit;

/**
 * Asks a silent client whether it is there, and ends the WebSocket where it stays silent. While reading pauses nobody is silent:
 * what a client says is not heard then. Confined to its event loop.
 */
final class WebSocketPingHandler extends IdleStateHandler {

    private final ReadPauseHandler pause;
    private boolean asked;

    /** A ping goes out when half of the idle time is over. */
    WebSocketPingHandler(long idleMillis, ReadPauseHandler pause) {
        super(Math.max(1, idleMillis / 2), 0, 0, TimeUnit.MILLISECONDS);
        this.pause = pause;
    }

    @Override
    protected void channelIdle(ChannelHandlerContext ctx, IdleStateEvent event) {
        // From the pipeline's end: what stands behind this handler must know of close frames.
        if (pause.isPaused()) {
            asked = false;
        } else if (event.isFirst() || !asked) {
            asked = true;
            ctx.pipeline().writeAndFlush(new PingWebSocketFrame());
        } else {
            ctx.pipeline()
                    .writeAndFlush(new CloseWebSocketFrame(WebSocketCloseStatus.POLICY_VIOLATION, "idle"))
                    .addListener(ChannelFutureListener.CLOSE);
        }
    }
}
