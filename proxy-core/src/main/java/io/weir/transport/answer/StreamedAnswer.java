package io.weir.transport.answer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.ReferenceCounted;
import io.weir.jsonrpc.ReplyText;
import io.weir.upstream.ResultStream;
import java.util.function.Consumer;

/**
 * An answer that is sent while its result arrives. Its end is missing unless all of the node's answer is valid, so that no client takes
 * a part for the whole. Reading from the node pauses while the client's socket is full. Confined to its event loop.
 */
public abstract class StreamedAnswer implements ResultStream.Receiver {

    /** The text behind the result; nobody modifies it. */
    protected static final byte[] AFTER_RESULT = {ReplyText.AFTER_RESULT};

    /** Pieces from this size on are worth a write to the socket of their own. */
    private static final int FLUSH_BYTES = 1 << 14;

    /** Bytes on their way to the client between which reading from the node goes on and pauses. */
    private static final WriteBufferWaterMark WINDOW = new WriteBufferWaterMark(1 << 16, 3 << 16);

    private final ChannelHandlerContext ctx;
    private final ResultStream result;
    private final Consumer<Boolean> ended;
    private final WriteBufferWaterMark before;
    private long bytes;

    /** @param ended learns whether the result is whole */
    protected StreamedAnswer(ChannelHandlerContext ctx, ResultStream result, Consumer<Boolean> ended) {
        this.ctx = ctx;
        this.result = result;
        this.ended = ended;
        this.before = ctx.channel().config().getWriteBufferWaterMark();
    }

    /**
     * Sends the beginning, which it takes over, and then the result.
     *
     * @param length in bytes
     */
    public final void begin(ReferenceCounted beginning, int length) {
        ctx.channel().config().setWriteBufferWaterMark(WINDOW);
        write(beginning, length);
        result.begin(this);
        follow();
    }

    @Override
    public final void take(ByteBuf piece) {
        int length = piece.readableBytes();
        writePiece(piece);
        if (length >= FLUSH_BYTES) {
            ctx.flush();
        }
    }

    /** Writes a piece of the result, which it takes over. */
    protected abstract void writePiece(ByteBuf piece);

    /** Sends the end behind the result. */
    public abstract ChannelFuture end();

    /** Returns a new buffer with these bytes. */
    protected final ByteBuf buffer(byte[] content) {
        return ctx.alloc().ioBuffer(content.length).writeBytes(content);
    }

    /** Writes a message, which it takes over. */
    protected final void write(ReferenceCounted message, int length) {
        bytes += length;
        ctx.write(message, ctx.voidPromise());
    }

    /** Writes the last message, which it takes over, and sends all. */
    protected final ChannelFuture writeLast(ReferenceCounted message, int length) {
        bytes += length;
        // What comes next is bounded as before.
        ctx.channel().config().setWriteBufferWaterMark(before);
        return ctx.writeAndFlush(message);
    }

    /** Returns the message for a piece, which it takes over. */
    protected final ReferenceCounted message(ByteBuf piece) {
        return HttpAnswers.message(piece, ctx.alloc());
    }

    @Override
    public final void flush() {
        ctx.flush();
    }

    @Override
    public void ended(boolean whole) {
        try {
            ended.accept(whole);
        } catch (RuntimeException | Error e) {
            // The client must not wait for the rest. The end of the connection releases what the answer holds.
            ctx.close();
            throw e;
        }
    }

    /** Follows the client's socket: reading from the node pauses while it is full. */
    public void follow() {
        if (!takesMore()) {
            // Nobody else may send what was written: the node has perhaps ended.
            ctx.flush();
        }
        if (takesMore()) {
            result.resume();
        } else {
            result.pause();
        }
    }

    /** Returns whether it can take more from the node now. */
    protected boolean takesMore() {
        return ctx.channel().isWritable();
    }

    /** Returns the number of bytes written so far, without those of the protocol around the pieces. */
    public final long bytes() {
        return bytes;
    }

    /** Gives up what has not been sent, and gives back the memory. */
    public void close() {
        result.close();
    }
}
