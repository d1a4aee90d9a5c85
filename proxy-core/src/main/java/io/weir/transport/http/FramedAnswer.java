package io.weir.transport.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.weir.transport.answer.StreamedAnswer;
import io.weir.upstream.ResultStream;
import java.util.function.Consumer;

/** An answer in pieces, which the protocol below frames. The last one is missing if the result breaks off. Confined to its event loop. */
final class FramedAnswer extends StreamedAnswer {

    FramedAnswer(ChannelHandlerContext ctx, ResultStream result, byte[] after, Consumer<Boolean> ended) {
        super(ctx, result, after, ended);
    }

    @Override
    protected void writePiece(ByteBuf piece) {
        int length = piece.readableBytes();
        write(message(piece), length);
    }

    @Override
    public ChannelFuture end() {
        return writeLast(new DefaultLastHttpContent(buffer(after())), after().length);
    }
}
