package io.weir.transport.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.weir.jsonrpc.ReplyWriter;
import io.weir.transport.answer.StreamedAnswer;
import io.weir.upstream.ResultStream;
import java.util.function.Consumer;

/** An answer in chunks, the last of which is missing if the result breaks off. Confined to its event loop. */
final class ChunkedAnswer extends StreamedAnswer {

    private static final byte[] LINE_END = ascii("\r\n");
    private static final byte[] LAST_CHUNKS = ascii("\r\n1\r\n" + (char) ReplyWriter.AFTER_RESULT + "\r\n0\r\n\r\n");

    ChunkedAnswer(ChannelHandlerContext ctx, ResultStream result, Consumer<Boolean> ended) {
        super(ctx, result, ended);
    }

    @Override
    protected void writePiece(ByteBuf piece) {
        int length = piece.readableBytes();
        // Each chunk's last line end comes with the head of the next one.
        ByteBuf head = buffer(LINE_END);
        ByteBufUtil.writeAscii(head, Integer.toHexString(length));
        head.writeBytes(LINE_END);
        write(head, head.readableBytes());
        write(message(piece), length);
    }

    @Override
    public ChannelFuture end() {
        return writeLast(buffer(LAST_CHUNKS), LAST_CHUNKS.length);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }
}
