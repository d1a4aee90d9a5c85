package io.weir.upstream.link;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.weir.framing.BodyBuffer;
import io.weir.framing.HeadCache.Repeated;
import io.weir.gzip.GzipUnpacker;
import io.weir.limit.Reservation;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.link.NodeAnswerDecoder.NodeAnswerHead;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.jspecify.annotations.Nullable;

/**
 * The unpacking of a node's answers in gzip, between the decoder of HTTP and the connection. The connection gets each answer in small
 * pieces, as if the node had sent them in chunks. While it is paused, or while its event loop does something else, the packed bytes wait
 * and the node is not read on. So a few bytes that unpack to gigabytes take no more memory than others. Confined to its event loop.
 */
final class AnswerUnpacker {

    private static final int PIECE_BYTES = 1 << 14;

    /** Bytes that are unpacked before the event loop does something else. */
    private static final int TURN_BYTES = 1 << 17;

    /** Traces of empty memory unpack to two hundred times their bytes. An answer of more, which is not collected, is made to harm. */
    private static final int MAX_RATIO = 500;

    /** Memory for one answer: the decompressor, a piece, and the packed bytes of one read. */
    private static final int MEMORY_BYTES = GzipUnpacker.MEMORY_BYTES + PIECE_BYTES + NodeConnector.MAX_CHUNK;

    private final Taker connection;
    private final AnswerResources shared;
    /** At most what one read from the node brought. */
    private final Queue<Object> held = new ArrayDeque<>(2);

    /** The last one of them, if it can take more. */
    private @Nullable HttpContent tail;

    private @Nullable ChannelHandlerContext context;
    /** Null while no answer in gzip arrives. */
    private @Nullable GzipUnpacker gzip;

    private @Nullable Reservation memory;
    private long packedBytes;
    private long unpackedBytes;
    /** Bytes that may be unpacked before the event loop does something else. */
    private int left = TURN_BYTES;

    private boolean paused;
    private boolean reading = true;
    private boolean working;
    private boolean scheduled;
    /** Whether the node has closed the connection, of which the owner does not know yet. */
    private boolean inactive;

    /** The connection over which the answers arrive. Confined to its event loop. */
    interface Taker {

        /** Takes the next part of an answer, which it releases. */
        void accept(ChannelHandlerContext ctx, Object message);

        /** Sends on what it took. */
        void flush();

        /** Closes the connection because of what an answer holds, unless its head said enough. */
        void refuse(Failed flaw);

        /** Learns that the connection has ended, and that all that came over it was taken. */
        void ended();

        /** Takes a failure of the unpacking. */
        void exceptionCaught(ChannelHandlerContext ctx, Throwable cause);

        /** Returns whether a call waits for an answer. */
        boolean awaitsAnswer();
    }

    AnswerUnpacker(Taker connection, AnswerResources shared) {
        this.connection = connection;
        this.shared = shared;
    }

    /** Takes over what the decoder of HTTP read. */
    void take(ChannelHandlerContext ctx, Object message) {
        context = ctx;
        if (message instanceof Repeated<?> answer && answer.first() instanceof NodeAnswerHead head && head.packed()) {
            hold(ctx, head.ofLength(answer.content().readableBytes()));
            hold(ctx, new DefaultLastHttpContent(answer.content()));
        } else {
            hold(ctx, message);
        }
        if (!working && !scheduled) {
            work(ctx);
        }
    }

    /** Small pieces that wait are joined, because each has an overhead. */
    private void hold(ChannelHandlerContext ctx, Object message) {
        boolean joins = gzip != null
                && !held.isEmpty()
                && message instanceof HttpContent content
                && !(message instanceof LastHttpContent)
                && !content.decoderResult().isFailure();
        if (!joins) {
            tail = null;
            held.add(message);
            return;
        }
        try {
            join(ctx, ((HttpContent) message).content());
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    /** @param bytes remain the caller's */
    private void join(ChannelHandlerContext ctx, ByteBuf bytes) {
        HttpContent last = tail;
        if (last == null || last.content().maxWritableBytes() < bytes.readableBytes()) {
            last = new DefaultHttpContent(ctx.alloc().buffer(bytes.readableBytes(), NodeConnector.MAX_CHUNK));
            tail = last;
            held.add(last);
        }
        last.content().writeBytes(bytes);
    }

    /** One read from the node has ended: the next one may unpack as much. */
    void readComplete() {
        if (!scheduled) {
            left = TURN_BYTES;
        }
    }

    private Object remove() {
        Object first = held.remove();
        if (held.isEmpty()) {
            tail = null;
        }
        return first;
    }

    /** Pauses the reading of an answer, or goes on. */
    void read(boolean on) {
        paused = !on;
        if (context != null && !working) {
            follow(context);
        }
    }

    /** The connection has ended, but not for what it still holds. */
    void ended() {
        inactive = true;
        if (context != null && !held.isEmpty()) {
            follow(context);
        } else if (!working) {
            endConnection();
        }
    }

    /** Drops what it holds, because the connection is closed. */
    void drop() {
        held.forEach(ReferenceCountUtil::release);
        held.clear();
        tail = null;
        close(false);
        if (inactive && !working) {
            endConnection();
        }
    }

    private void work(ChannelHandlerContext ctx) {
        working = true;
        try {
            for (Object next = held.peek(); next != null && !paused && left > 0; next = held.peek()) {
                left -= pass(ctx, next);
            }
        } finally {
            working = false;
        }
        follow(ctx);
        if (inactive && held.isEmpty()) {
            endConnection();
        }
    }

    /** Reads on if nothing is held, and goes on soon with what is. */
    private void follow(ChannelHandlerContext ctx) {
        boolean on = !paused && held.isEmpty();
        if (on != reading && !inactive) {
            reading = on;
            ctx.channel().config().setAutoRead(on);
        }
        if (!paused && !held.isEmpty() && !scheduled) {
            scheduled = true;
            // Scheduled instead of executed, because a loop runs all executed tasks before it checks its sockets again.
            shared.loop().schedule(() -> turn(ctx), 0, TimeUnit.NANOSECONDS);
        }
    }

    private void turn(ChannelHandlerContext ctx) {
        scheduled = false;
        left = TURN_BYTES;
        try {
            work(ctx);
            connection.flush();
        } catch (RuntimeException | Error e) {
            connection.exceptionCaught(ctx, e);
        }
    }

    private void endConnection() {
        inactive = false;
        close(false);
        connection.ended();
    }

    /** Passes on the next message, or a piece of it. Returns the number of bytes unpacked. */
    private int pass(ChannelHandlerContext ctx, Object message) {
        GzipUnpacker unpacker = gzip;
        if (unpacker != null
                && message instanceof HttpContent content
                && !content.decoderResult().isFailure()) {
            return unpack(ctx, unpacker, content);
        }
        remove();
        if (message instanceof NodeAnswerHead head && head.packed() && connection.awaitsAnswer()) {
            boolean room = open(head.length());
            connection.accept(ctx, head.unpacked());
            if (!room) {
                connection.refuse(ReplyVerdict.overBudget());
            }
        } else {
            connection.accept(ctx, message);
        }
        return 0;
    }

    /** Begins with an answer. Returns false if there is no memory for it. */
    private boolean open(long declared) {
        close(false);
        Reservation reservation = shared.limits().bytes().reserve();
        if (declared <= BodyBuffer.SMALL_BYTES) {
            // Even over the bound, so that the result of an executed call is not lost.
            reservation.add(MEMORY_BYTES);
        } else if (!reservation.tryAdd(MEMORY_BYTES)) {
            return false;
        }
        memory = reservation;
        packedBytes = 0;
        unpackedBytes = 0;
        gzip = shared.takeUnpacker();
        return true;
    }

    private int unpack(ChannelHandlerContext ctx, GzipUnpacker unpacker, HttpContent content) {
        ByteBuf piece = ctx.alloc().directBuffer(PIECE_BYTES, PIECE_BYTES);
        int made;
        try {
            ByteBuffer packed = content.content().nioBuffer();
            made = unpacker.unpack(packed, piece.nioBuffer(0, PIECE_BYTES));
            int taken = content.content().readableBytes() - packed.remaining();
            content.content().skipBytes(taken);
            packedBytes += taken;
            unpackedBytes += made;
        } catch (DataFormatException e) {
            piece.release();
            close(false);
            connection.accept(ctx, broken(e));
            return 0;
        }
        if (unpackedBytes > shared.limits().maxResponseBytes() && unpackedBytes > MAX_RATIO * packedBytes) {
            piece.release();
            close(false);
            connection.refuse(ReplyVerdict.tooLarge());
            return made;
        }
        if (made > 0) {
            connection.accept(ctx, new DefaultHttpContent(piece.writerIndex(made)));
            return made;
        }
        piece.release();
        ReferenceCountUtil.release(remove());
        if (content instanceof LastHttpContent) {
            boolean whole = unpacker.isWhole();
            close(whole);
            connection.accept(
                    ctx,
                    whole ? LastHttpContent.EMPTY_LAST_CONTENT : broken(new DataFormatException("a part of a member")));
        }
        return 0;
    }

    private static HttpContent broken(DataFormatException cause) {
        HttpContent end = new DefaultLastHttpContent(Unpooled.EMPTY_BUFFER);
        end.setDecoderResult(DecoderResult.failure(cause));
        return end;
    }

    private void close(boolean whole) {
        if (gzip != null) {
            shared.giveBack(gzip, whole);
            gzip = null;
        }
        if (memory != null) {
            memory.close();
            memory = null;
        }
    }
}
