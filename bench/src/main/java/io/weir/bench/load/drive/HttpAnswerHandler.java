package io.weir.bench.load.drive;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.weir.bench.load.node.HttpMessage;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reads the answers of one HTTP connection. Netty's own codec would make the driver slower than what it measures. */
final class HttpAnswerHandler extends ByteToMessageDecoder {

    private static final int STATUS = "HTTP/1.1 ".length();

    private final DriverConnection connection;
    private final CompletableFuture<DriverConnection> ready;
    private final HttpMessage message = new HttpMessage();

    HttpAnswerHandler(DriverConnection connection, CompletableFuture<DriverConnection> ready) {
        this.connection = connection;
        this.ready = ready;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        ready.complete(connection);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        while (message.read(in)) {
            if (message.hasAt(STATUS, "200")) {
                connection.over(message.body(), "");
            } else {
                connection.over(null, "status " + message.head().substring(STATUS, STATUS + 3));
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        connection.over(null, "the connection was closed");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        connection.over(null, cause.toString());
        context.close();
    }
}
