package io.weir.transport.coding;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.weir.limit.Reservation;
import io.weir.metrics.OutOfMemory;
import io.weir.transport.answer.AnswerText;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Packs the text of an answer, a slice at a time, so that a large one does not hold up its event loop. Confined to its event
 * loop; to be closed, since what it works with is outside the heap.
 */
public final class GzipWriter implements AutoCloseable {

    private static final int SLICE_BYTES = 1 << 15;
    private static final int FIRST_BYTES = 1 << 13;
    private static final int MAX_STEP_BYTES = 1 << 22;
    private static final int LEAST_BYTES = 1 << 9;

    /** What zlib takes to pack. */
    private static final int MEMORY_BYTES = 268 << 10;

    /** Deflated, no name, no time, from any system. */
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

    private final List<Piece> pieces = new ArrayList<>();
    private final CRC32 crc = new CRC32();
    private final Deflater deflater;
    private final ByteBuf out;
    private final Reservation memory;
    private int piece;
    private int pieceAt;
    private boolean closed;

    private record Piece(byte[] array, int offset, int length) {}

    /** How far it is. */
    public enum Progress {
        /** There is more to pack. */
        MORE,
        /** All is packed. */
        WHOLE,
        /** Too much is in flight; nothing can be done any more. */
        NO_ROOM
    }

    private GzipWriter(AnswerText text, int level, ByteBufAllocator allocator, Reservation memory) {
        this.memory = memory;
        this.out = allocator.ioBuffer(FIRST_BYTES).writeBytes(HEADER);
        this.deflater = new Deflater(level, true);
        // They stay where they are: nobody writes to them any more.
        text.writeTo((array, offset, length) -> pieces.add(new Piece(array, offset, length)));
    }

    /**
     * A writer at the beginning of a text, or null where there is no room for it.
     *
     * @param memory counts what it takes, and is closed with it
     */
    public static @Nullable GzipWriter open(
            AnswerText text, int level, ByteBufAllocator allocator, Reservation memory) {
        if (memory.tryAdd(MEMORY_BYTES + FIRST_BYTES)) {
            try {
                return new GzipWriter(text, level, allocator, memory);
            } catch (OutOfMemoryError e) {
                OutOfMemory.check(e);
                // The memory of buffers has a bound of its own; the answer can go as it is.
                memory.close();
                return null;
            }
        }
        memory.close();
        return null;
    }

    /** Packs the next slice. */
    public Progress step() {
        int left = SLICE_BYTES;
        while (left > 0 && piece < pieces.size()) {
            Piece next = pieces.get(piece);
            int length = Math.min(left, next.length - pieceAt);
            deflater.setInput(next.array, next.offset + pieceAt, length);
            crc.update(next.array, next.offset + pieceAt, length);
            if (!drain()) {
                return Progress.NO_ROOM;
            }
            left -= length;
            pieceAt += length;
            if (pieceAt == next.length) {
                piece++;
                pieceAt = 0;
            }
        }
        return piece < pieces.size() ? Progress.MORE : finish();
    }

    private Progress finish() {
        deflater.finish();
        if (!drain() || !hasRoom()) {
            return Progress.NO_ROOM;
        }
        out.writeIntLE((int) crc.getValue()).writeIntLE((int) deflater.getBytesRead());
        return Progress.WHOLE;
    }

    /** Whether everything that can be packed now has been. */
    private boolean drain() {
        int more;
        do {
            if (!hasRoom()) {
                return false;
            }
            more = deflater.deflate(out.nioBuffer(out.writerIndex(), out.writableBytes()));
            out.writerIndex(out.writerIndex() + more);
        } while (more > 0);
        return true;
    }

    private boolean hasRoom() {
        if (out.writableBytes() >= LEAST_BYTES) {
            return true;
        }
        int more = Math.min(out.capacity(), MAX_STEP_BYTES);
        if (!memory.tryAdd(more)) {
            return false;
        }
        try {
            out.capacity(out.capacity() + more);
            return true;
        } catch (OutOfMemoryError e) {
            OutOfMemory.check(e);
            return false;
        }
    }

    /**
     * What was packed, whole; the caller's from here on.
     *
     * @param taker counts it from here on
     */
    public ByteBuf take(Reservation taker) {
        taker.takeOver(memory, out.capacity());
        return out.retain();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            deflater.end();
            out.release();
            memory.close();
        }
    }
}
