package io.weir.transport.answer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.weir.jsonrpc.ReplyText;
import io.weir.limit.Reservation;
import io.weir.metrics.OutOfMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * A writer that compresses the text of an answer in slices, so that a large one does not block its event loop. It must
 * be closed, because its memory is outside the heap. Confined to its event loop.
 */
public final class GzipWriter implements AutoCloseable {

    /** Bytes that are compressed in one turn of an event loop. */
    static final int SLICE_BYTES = 1 << 15;

    private static final int FIRST_BYTES = 1 << 13;
    private static final int MAX_STEP_BYTES = 1 << 22;
    private static final int MIN_FREE_BYTES = 1 << 9;

    /** Memory that zlib needs to compress. */
    static final int MEMORY_BYTES = 268 << 10;

    /** The level of zlib: higher ones take twice the time and more for a few percent of JSON in hex. */
    static final int LEVEL = 4;

    /** A header with method deflate, no name, no time, and unknown operating system. */
    static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

    private final List<Piece> pieces = new ArrayList<>();
    private final CRC32 crc = new CRC32();
    private final Deflater deflater;
    private final ByteBuf out;
    private final Reservation memory;
    private int piece;
    private int pieceAt;
    private boolean closed;

    private record Piece(byte[] array, int offset, int length) {}

    /** The progress of the compression. */
    public enum Progress {
        /** More remains to be compressed. */
        MORE,
        /** Everything is compressed. */
        DONE,
        /** The budget of bytes in flight is exhausted, and the compression has failed. */
        OVER_BUDGET
    }

    private GzipWriter(ReplyText text, ByteBufAllocator allocator, Reservation memory) {
        this.memory = memory;
        this.out = allocator.ioBuffer(FIRST_BYTES).writeBytes(HEADER);
        this.deflater = new Deflater(LEVEL, true);
        // The pieces are not copied, because nobody modifies them any more.
        text.writeTo((array, offset, length) -> pieces.add(new Piece(array, offset, length)));
    }

    /**
     * Returns a writer at the beginning of a text, or null if the budget is exhausted.
     *
     * @param memory counts the writer's memory, and is closed with it
     */
    public static @Nullable GzipWriter open(ReplyText text, ByteBufAllocator allocator, Reservation memory) {
        if (memory.tryAdd(MEMORY_BYTES + FIRST_BYTES)) {
            try {
                return new GzipWriter(text, allocator, memory);
            } catch (OutOfMemoryError e) {
                OutOfMemory.check(e);
                // Direct memory has its own bound; the answer can be sent uncompressed.
                memory.close();
                return null;
            }
        }
        memory.close();
        return null;
    }

    /** Compresses the next slice. */
    public Progress step() {
        int left = SLICE_BYTES;
        while (left > 0 && piece < pieces.size()) {
            Piece next = pieces.get(piece);
            int length = Math.min(left, next.length - pieceAt);
            deflater.setInput(next.array, next.offset + pieceAt, length);
            crc.update(next.array, next.offset + pieceAt, length);
            if (!drain()) {
                return Progress.OVER_BUDGET;
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
        if (!drain() || !ensureCapacity()) {
            return Progress.OVER_BUDGET;
        }
        out.writeIntLE((int) crc.getValue()).writeIntLE((int) deflater.getBytesRead());
        return Progress.DONE;
    }

    /** Compresses all available input. Returns false if the budget is exhausted. */
    private boolean drain() {
        int more;
        do {
            if (!ensureCapacity()) {
                return false;
            }
            more = deflater.deflate(out.nioBuffer(out.writerIndex(), out.writableBytes()));
            out.writerIndex(out.writerIndex() + more);
        } while (more > 0);
        return true;
    }

    private boolean ensureCapacity() {
        if (out.writableBytes() >= MIN_FREE_BYTES) {
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
     * Returns the complete compressed text, which is the caller's from here on.
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
