package io.weir.bench.load.drive;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** Reads the answers of one WebSocket. */
final class MessageAnswerHandler extends SimpleChannelInboundHandler<WebSocketFrame> {

    private final DriverConnection connection;
    private final CompletableFuture<DriverConnection> ready;

    MessageAnswerHandler(DriverConnection connection, CompletableFuture<DriverConnection> ready) {
        this.connection = connection;
        this.ready = ready;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
            ready.complete(connection);
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
        connection.over(ByteBufUtil.getBytes(frame.content()), "");
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ready.completeExceptionally(new IOException("the connection was closed"));
        connection.over(null, "the connection was closed");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        ready.completeExceptionally(cause);
        connection.over(null, cause.toString());
        context.close();
    }
}
