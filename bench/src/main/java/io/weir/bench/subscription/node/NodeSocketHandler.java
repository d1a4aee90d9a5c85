package io.weir.bench.subscription.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import java.util.ArrayList;
import java.util.List;

/** Calls over WebSocket, and subscriptions to new heads. Confined to its event loop. */
final class NodeSocketHandler extends SimpleChannelInboundHandler<TextWebSocketFrame> {

    private final ForkingNode node;

    NodeSocketHandler(ForkingNode node) {
        this.node = node;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, TextWebSocketFrame frame) {
        List<String> changes = new ArrayList<>();
        String answer = CallReader.answer(node, ByteBufUtil.getBytes(frame.content()), changes::add);
        node.write(ctx.channel(), new TextWebSocketFrame(Unpooled.copiedBuffer(answer, UTF_8)), () -> {
            for (String change : changes) {
                node.subscribed(ctx.channel(), change.equals("eth_subscribe"));
            }
        });
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
