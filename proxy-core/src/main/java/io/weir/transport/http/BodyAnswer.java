package io.weir.transport.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.weir.transport.answer.AnswerStyle;
import io.weir.transport.answer.StreamedAnswer;
import io.weir.upstream.ResultStream;
import java.util.function.Consumer;

/**
 * An answer in the body of an HTTP response: in chunks of HTTP/1.1, or in pieces that HTTP/2 frames. The last one is missing if the result
 * breaks off. Confined to its event loop.
 */
class BodyAnswer extends StreamedAnswer {

    private static final byte[] LINE_END = ascii("\r\n");
    private static final byte[] LAST_CHUNK = ascii("0\r\n\r\n");

    private final boolean chunked;

    BodyAnswer(
            ChannelHandlerContext ctx, ResultStream result, Consumer<Boolean> ended, AnswerStyle.Streaming streaming) {
        super(ctx, result, ended);
        this.chunked = streaming == AnswerStyle.Streaming.CHUNKS;
    }

    @Override
    protected void writePiece(ByteBuf piece) {
        writePart(piece);
    }

    /** Writes a part of the body, which it takes over. */
    final void writePart(ByteBuf part) {
        int length = part.readableBytes();
        if (chunked) {
            ByteBuf head = chunkHead(part);
            write(head, head.readableBytes());
            write(message(part), length);
            // Not left to the next chunk, because some clients take nothing of a chunk without its end.
            write(buffer(LINE_END), LINE_END.length);
        } else {
            write(message(part), length);
        }
    }

    /** Returns the line before a chunk. Releases the chunk if there is no memory for it. */
    private ByteBuf chunkHead(ByteBuf part) {
        try {
            return buffer(ascii(Integer.toHexString(part.readableBytes()) + "\r\n"));
        } catch (RuntimeException | Error e) {
            part.release();
            throw e;
        }
    }

    @Override
    public ChannelFuture end() {
        return writeLastPart(buffer(AFTER_RESULT));
    }

    /** Writes the last part of the body, which it takes over, and sends all. */
    final ChannelFuture writeLastPart(ByteBuf part) {
        if (chunked) {
            writePart(part);
            return writeLast(buffer(LAST_CHUNK), LAST_CHUNK.length);
        }
        return writeLast(new DefaultLastHttpContent(part), part.readableBytes());
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }
}
