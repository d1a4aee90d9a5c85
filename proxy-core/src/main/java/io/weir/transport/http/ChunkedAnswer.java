package io.weir.transport.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.weir.transport.answer.StreamedAnswer;
import io.weir.upstream.ResultStream;
import java.util.function.Consumer;

/** An answer in chunks, the last of which is missing if the result breaks off. Confined to its event loop. */
class ChunkedAnswer extends StreamedAnswer {

    private static final byte[] LINE_END = ascii("\r\n");
    private static final byte[] LAST_CHUNK = ascii("0\r\n\r\n");

    ChunkedAnswer(ChannelHandlerContext ctx, ResultStream result, byte[] after, Consumer<Boolean> ended) {
        super(ctx, result, after, ended);
    }

    @Override
    protected void writePiece(ByteBuf piece) {
        writeChunk(piece);
    }

    /** Writes a chunk, which it takes over. */
    final void writeChunk(ByteBuf chunk) {
        int length = chunk.readableBytes();
        ByteBuf head = buffer(ascii(Integer.toHexString(length) + "\r\n"));
        write(head, head.readableBytes());
        write(message(chunk), length);
        // Not left to the next chunk, because some clients take nothing of a chunk without its end.
        write(buffer(LINE_END), LINE_END.length);
    }

    @Override
    public ChannelFuture end() {
        writeChunk(buffer(after()));
        return writeLast();
    }

    /** Writes the last chunk, and sends all. */
    final ChannelFuture writeLast() {
        return writeLast(buffer(LAST_CHUNK), LAST_CHUNK.length);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }
}
