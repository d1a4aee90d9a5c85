package io.weir.upstream.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.weir.limit.Reservation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a result that are kept while it goes on, between two positions. They are copied into chunks outside of the heap, because
 * pieces that arrive may hold much larger buffers, and so that the garbage collector does not move them. Its owner's lock guards it.
 */
final class PieceLog {

    static final int CHUNK_BYTES = 1 << 16;

    private final Reservation bytes;
    /** All but the last one are full. */
    private final List<ByteBuf> chunks = new ArrayList<>();

    private long start;
    private long end;

    /** @param bytes in flight, which counts the chunks */
    PieceLog(Reservation bytes) {
        this.bytes = bytes;
    }

    /** Returns the position behind the last byte, kept or not. */
    long end() {
        return end;
    }

    /** Returns the number of bytes that are kept. */
    long kept() {
        return end - start;
    }

    /** Returns whether a position lies in the first chunk. */
    boolean isInFirstChunk(long position) {
        return position - start < CHUNK_BYTES;
    }

    /**
     * Keeps more bytes, which remain the caller's.
     *
     * @param over whether they are kept even if the budget is spent
     * @return false if nothing is kept, because the budget is spent
     */
    boolean append(ByteBuf piece, boolean over) {
        int length = piece.readableBytes();
        int room = chunks.isEmpty() ? 0 : last().writableBytes();
        long more = length <= room ? 0 : (length - room + CHUNK_BYTES - 1L) / CHUNK_BYTES * CHUNK_BYTES;
        if (!bytes.tryAdd(more)) {
            if (!over) {
                return false;
            }
            bytes.add(more);
        }
        int before = chunks.size();
        try {
            copy(piece);
        } finally {
            // There may be no memory for some of them.
            bytes.give(more - (long) (chunks.size() - before) * CHUNK_BYTES);
        }
        end += length;
        return true;
    }

    private void copy(ByteBuf piece) {
        for (int at = piece.readerIndex(); at < piece.writerIndex(); ) {
            if (chunks.isEmpty() || !last().isWritable()) {
                chunks.add(ByteBufAllocator.DEFAULT.directBuffer(CHUNK_BYTES, CHUNK_BYTES));
            }
            int step = Math.min(last().writableBytes(), piece.writerIndex() - at);
            last().writeBytes(piece, at, step);
            at += step;
        }
    }

    private ByteBuf last() {
        return chunks.get(chunks.size() - 1);
    }

    /** Notes bytes that are not kept. None may be kept before them. */
    void pass(int length) {
        end += length;
        start = end;
    }

    /** Returns the next bytes from a position on, which the caller must release; null if there are none yet. */
    @Nullable
    ByteBuf from(long position) {
        if (position >= end) {
            return null;
        }
        int offset = (int) (position - start);
        ByteBuf chunk = chunks.get(offset / CHUNK_BYTES);
        int from = offset % CHUNK_BYTES;
        return chunk.retainedSlice(from, chunk.writerIndex() - from);
    }

    /** Returns all bytes. None may have been dropped. */
    byte[] toBytes() {
        byte[] bytes = new byte[(int) end];
        int at = 0;
        for (ByteBuf chunk : chunks) {
            chunk.getBytes(0, bytes, at, chunk.writerIndex());
            at += chunk.writerIndex();
        }
        return bytes;
    }

    /**
     * Drops the full chunks before a position. The last one stays, so that small pieces do not hold a chunk each. Drops nothing if the
     * position lies before all that is kept: after {@link #clear}, a client may be that far behind.
     */
    void dropBefore(long position) {
        long full = Math.max(0, position - start) / CHUNK_BYTES;
        drop((int) Math.min(full, chunks.size()));
    }

    /** Drops everything. */
    void clear() {
        drop(chunks.size());
        start = end;
    }

    private void drop(int number) {
        List<ByteBuf> dropped = chunks.subList(0, number);
        dropped.forEach(ByteBuf::release);
        dropped.clear();
        start += (long) number * CHUNK_BYTES;
        bytes.give((long) number * CHUNK_BYTES);
    }
}
