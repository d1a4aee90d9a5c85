package io.weir.transport.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.weir.transport.answer.AnswerStyle;
import io.weir.transport.answer.GzipPieces;
import io.weir.transport.request.LoopTurns;
import io.weir.upstream.ResultStream;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * An answer that is compressed on its way, a slice per turn of its event loop. Reading from the node pauses while a piece is left to
 * compress. Once the node has sent nothing for a turn, the client gets all that arrived. A result that breaks off has no last part and no end
 * of its compressed text. Confined to its event loop.
 */
final class CompressedAnswer extends BodyAnswer {

    private final ChannelHandlerContext ctx;
    private final GzipPieces gzip;
    private final LoopTurns turns;
    /** Holds at most what one read from the node brought, and what came before the decision. */
    private final Queue<ByteBuf> pieces = new ArrayDeque<>(2);

    private boolean working;
    private boolean heldBack;
    private boolean whole;
    private boolean closed;

    /**
     * @param before the text before the result
     * @param ended learns whether the result is whole
     * @param gzip closed with the answer
     * @param turns in which it works
     */
    CompressedAnswer(
            ChannelHandlerContext ctx,
            ResultStream result,
            byte[] before,
            Consumer<Boolean> ended,
            AnswerStyle.Streaming streaming,
            GzipPieces gzip,
            LoopTurns turns) {
        super(ctx, result, ended, streaming);
        this.ctx = ctx;
        this.gzip = gzip;
        this.turns = turns;
        pieces.add(Unpooled.wrappedBuffer(before));
    }

    @Override
    protected void writePiece(ByteBuf piece) {
        if (closed) {
            piece.release();
            return;
        }
        pieces.add(piece);
        follow();
    }

    @Override
    protected boolean takesMore() {
        return super.takesMore() && pieces.isEmpty();
    }

    @Override
    public void follow() {
        super.follow();
        if (!working && !closed) {
            working = true;
            turns.add(ctx.channel().eventLoop(), this::turn, this::failed);
        }
    }

    @Override
    public void ended(boolean isWhole) {
        if (isWhole) {
            whole = true;
            follow();
        } else {
            super.ended(false);
        }
    }

    private boolean turn() {
        working = !closed && work();
        return working;
    }

    private void failed() {
        working = false;
        if (!closed) {
            super.ended(false);
        }
    }

    /** Does the next piece of work. Returns whether there may be more before the node sends or the client reads on. */
    private boolean work() {
        if (!super.takesMore()) {
            return false;
        }
        ByteBuf piece = pieces.peek();
        if (piece != null) {
            compress(piece);
            return true;
        }
        if (whole) {
            super.ended(true);
        } else if (heldBack) {
            heldBack = false;
            gzip.flush(this::writePacked);
            flush();
        }
        return false;
    }

    private void compress(ByteBuf piece) {
        gzip.compress(piece, this::writePacked);
        heldBack = true;
        flush();
        if (!piece.isReadable()) {
            pieces.remove().release();
            follow();
        }
    }

    private void writePacked(byte[] bytes, int length) {
        writePart(ctx.alloc().ioBuffer(length).writeBytes(bytes, 0, length));
    }

    @Override
    public ChannelFuture end() {
        ByteBuf last = ctx.alloc().ioBuffer();
        GzipPieces.Taker taker = (bytes, length) -> last.writeBytes(bytes, 0, length);
        try {
            gzip.compress(Unpooled.wrappedBuffer(AFTER_RESULT), taker);
            gzip.finish(taker);
        } catch (RuntimeException | Error e) {
            last.release();
            throw e;
        }
        return writeLastPart(last);
    }

    @Override
    public void close() {
        closed = true;
        pieces.forEach(ByteBuf::release);
        pieces.clear();
        gzip.close();
        super.close();
    }
}
