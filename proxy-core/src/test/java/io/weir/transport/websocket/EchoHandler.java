package io.weir.transport.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.weir.framing.BodyBuffer;
import io.weir.transport.http.HttpPipeline;
import io.weir.transport.request.ListenerContext;
import java.io.IOException;

/**
 * Sends every message back as it came, text as text and binary as binary, in the place of the handler that runs messages as
 * calls. Confined to its event loop.
 */
public final class EchoHandler extends ChannelInboundHandlerAdapter {

    private final KindHandler kind = new KindHandler();

    private EchoHandler() {}

    /** Makes WebSockets whose pipelines are the proxy's own but for this last handler. */
    public static HttpPipeline.Upgrade upgrade(ListenerContext context) {
        return new WebSocketUpgrade(context, (sameDoor, pause, handshake) -> new EchoHandler());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        String messages = ctx.pipeline().context(MessageHandler.class).name();
        ctx.pipeline().addBefore(messages, null, kind);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        BodyBuffer whole = (BodyBuffer) message;
        ByteBuf bytes = Unpooled.wrappedBuffer(whole.array(), 0, whole.length());
        ctx.writeAndFlush(kind.text ? new TextWebSocketFrame(bytes) : new BinaryWebSocketFrame(bytes))
                .addListener(sent -> whole.reservation().close());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            throw new IllegalStateException("echo: failed inside", cause);
        }
        ctx.close();
    }

    /** Remembers of which kind the message is that is being put together behind it. Confined to its event loop. */
    private static final class KindHandler extends ChannelInboundHandlerAdapter {

        private boolean text;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object frame) {
            if (frame instanceof TextWebSocketFrame) {
                text = true;
            } else if (frame instanceof BinaryWebSocketFrame) {
                text = false;
            }
            ctx.fireChannelRead(frame);
        }
    }
}
