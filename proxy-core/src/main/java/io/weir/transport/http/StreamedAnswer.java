package io.weir.transport.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.WriteBufferWaterMark;
import io.weir.jsonrpc.ReplyWriter;
import io.weir.transport.answer.HeapAnswer;
import io.weir.upstream.ResultStream;
import java.util.function.Consumer;

/**
 * An answer that is sent in chunks while its result arrives. The last chunk is missing unless all of the node's answer is valid, so
 * that no client takes a part for the whole. Reading from the node pauses while the client's socket is full. Confined to its event
 * loop.
 */
final class StreamedAnswer implements ResultStream.Receiver {

    /** Pieces from this size on are worth a write to the socket of their own. */
    private static final int FLUSH_BYTES = 1 << 14;

    /** Bytes on their way to the client between which reading from the node goes on and pauses. */
    private static final WriteBufferWaterMark WINDOW = new WriteBufferWaterMark(1 << 16, 3 << 16);

    private static final int MAX_CHUNK_HEAD = 12;
    private static final byte[] LINE_END = "\r\n".getBytes(US_ASCII);
    private static final byte[] LAST_CHUNKS =
            ("\r\n1\r\n" + (char) ReplyWriter.AFTER_RESULT + "\r\n0\r\n\r\n").getBytes(US_ASCII);

    private final ChannelHandlerContext ctx;
    private final ResultStream result;
    private final Consumer<Boolean> ended;
    private long bytes;

    /** @param ended learns whether the result is whole */
    StreamedAnswer(ChannelHandlerContext ctx, ResultStream result, Consumer<Boolean> ended) {
        this.ctx = ctx;
        this.result = result;
        this.ended = ended;
    }

    /** Sends the beginning, which it takes over, and then the result. */
    void begin(ByteBuf beginning) {
        ctx.channel().config().setWriteBufferWaterMark(WINDOW);
        write(beginning);
        result.begin(this);
        follow();
    }

    @Override
    public void take(ByteBuf piece) {
        int length = piece.readableBytes();
        ByteBuf head = ctx.alloc().ioBuffer(MAX_CHUNK_HEAD).writeBytes(LINE_END);
        ByteBufUtil.writeAscii(head, Integer.toHexString(length));
        write(head.writeBytes(LINE_END));
        write(piece);
        if (length >= FLUSH_BYTES) {
            ctx.flush();
        }
    }

    private void write(ByteBuf part) {
        bytes += part.readableBytes();
        ctx.write(HeapAnswer.message(part, ctx.alloc()), ctx.voidPromise());
    }

    @Override
    public void flush() {
        ctx.flush();
    }

    @Override
    public void ended(boolean whole) {
        ended.accept(whole);
    }

    /** Sends the end. */
    ChannelFuture end() {
        bytes += LAST_CHUNKS.length;
        return ctx.writeAndFlush(ctx.alloc().ioBuffer(LAST_CHUNKS.length).writeBytes(LAST_CHUNKS));
    }

    /** Follows the client's socket: reading from the node pauses while it is full. */
    void follow() {
        if (ctx.channel().isWritable()) {
            result.resume();
        } else {
            result.pause();
        }
    }

    /** Returns the number of bytes written so far. */
    long bytes() {
        return bytes;
    }

    /** Gives up what has not been sent, and gives back the memory. */
    void close() {
        result.close();
    }
}
