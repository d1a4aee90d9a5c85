package io.weir.transport.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.weir.transport.answer.StreamedAnswer;
import io.weir.upstream.ResultStream;
import java.util.function.Consumer;

/** An answer in fragments of one message, the last of which is missing if the result breaks off. Confined to its event loop. */
final class FragmentedAnswer extends StreamedAnswer {

    FragmentedAnswer(ChannelHandlerContext ctx, ResultStream result, byte[] after, Consumer<Boolean> ended) {
        super(ctx, result, after, ended);
    }

    @Override
    protected void writePiece(ByteBuf piece) {
        write(new ContinuationWebSocketFrame(false, 0, piece), piece.readableBytes());
    }

    @Override
    public ChannelFuture end() {
        return writeLast(new ContinuationWebSocketFrame(true, 0, buffer(after())), after().length);
    }
}
