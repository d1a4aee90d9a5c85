package io.weir.bench.load.node;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The bare server: Netty's own HTTP codec and a constant as the answer to whatever is asked, over HTTP and WebSocket. The upper
 * bound of a server on Netty: one that does nothing at all.
 *
 * <pre>
 * java -cp bench/target/weir-bench.jar io.weir.bench.load.node.ConstantMain FILE
 * </pre>
 *
 * <p>Says {@code constant: PORT PORT}, for HTTP and for WebSocket, when it listens. The file holds the answer's body.
 */
public final class ConstantMain extends ChannelInboundHandlerAdapter {

    private static final int MAX_BYTES = 1 << 20;

    private final ByteBuf answer;

    private ConstantMain(byte[] answer) {
        this.answer = Unpooled.unreleasableBuffer(
                Unpooled.directBuffer(answer.length).writeBytes(answer).asReadOnly());
    }

    /** Listens until the process is ended. */
    public static void main(String[] args) throws IOException, InterruptedException {
        byte[] answer = args.length == 0 ? "{}".getBytes(US_ASCII) : Files.readAllBytes(Path.of(args[0]));
        int http = new ListeningLoop().listen(channel -> pipeline(channel, answer, false));
        int webSocket = new ListeningLoop().listen(channel -> pipeline(channel, answer, true));
        System.out.println("constant: " + http + " " + webSocket);
    }

    private static void pipeline(Channel channel, byte[] answer, boolean webSocket) {
        channel.pipeline().addLast(new HttpServerCodec());
        if (webSocket) {
            channel.pipeline()
                    .addLast(new HttpObjectAggregator(MAX_BYTES))
                    .addLast(new WebSocketServerProtocolHandler("/", null, false, MAX_BYTES, false, true));
        }
        channel.pipeline().addLast(new ConstantMain(answer));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (message instanceof LastHttpContent) {
                context.write(response());
            } else if (message instanceof TextWebSocketFrame) {
                context.write(new TextWebSocketFrame(answer.duplicate()));
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }

    private DefaultFullHttpResponse response() {
        DefaultFullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, answer.duplicate());
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON)
                .set(HttpHeaderNames.CONTENT_LENGTH, answer.readableBytes());
        return response;
    }
}
