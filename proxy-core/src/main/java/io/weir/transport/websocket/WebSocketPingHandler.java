package io.weir.transport.websocket;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.weir.transport.request.ReadPauseHandler;
import java.util.concurrent.TimeUnit;

/**
 * Pings a silent client, and closes the WebSocket if it stays silent. While reading is paused no client counts as
 * silent, because its messages are not read. Confined to its event loop.
 */
final class WebSocketPingHandler extends IdleStateHandler {

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
