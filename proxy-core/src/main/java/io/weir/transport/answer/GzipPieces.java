package io.weir.transport.answer;

import io.netty.buffer.ByteBuf;
import io.weir.limit.Reservation;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * A compressor of a text that is sent while it arrives. Its memory is constant. It must be closed, because its memory is outside the heap.
 * Confined to its event loop.
 */
public final class GzipPieces implements AutoCloseable {

    private static final int STEP_BYTES = 1 << 14;

    private final CRC32 crc = new CRC32();
    private final Deflater deflater;
    private final byte[] step = new byte[STEP_BYTES];
    private final Reservation memory;
    private boolean closed;

    /** Taker of compressed bytes. */
    @FunctionalInterface
    public interface Taker {

        /** Takes a copy of the first bytes of an array. */
        void take(byte[] bytes, int length);
    }

    private GzipPieces(Reservation memory) {
        this.deflater = new Deflater(GzipWriter.LEVEL, true);
        this.memory = memory;
    }

    /**
     * Returns a compressor behind the header of the text, or null if the budget is exhausted.
     *
     * @param memory counts the compressor's memory, and is closed with it
     */
    public static @Nullable GzipPieces open(Reservation memory) {
        if (memory.tryAdd(GzipWriter.MEMORY_BYTES + STEP_BYTES)) {
            return new GzipPieces(memory);
        }
        memory.close();
        return null;
    }

    /** Returns the header, which comes before all compressed bytes. */
    public static byte[] header() {
        return GzipWriter.HEADER.clone();
    }

    /** Compresses the next slice of a piece, which remains the caller's. */
    public void compress(ByteBuf piece, Taker taker) {
        int length = Math.min(piece.readableBytes(), GzipWriter.SLICE_BYTES);
        ByteBuffer slice = piece.nioBuffer(piece.readerIndex(), length);
        crc.update(slice.duplicate());
        deflater.setInput(slice);
        drain(Deflater.NO_FLUSH, taker);
        piece.skipBytes(length);
    }

    /** Gives out all that was compressed, so that the client can read it before more comes. */
    public void flush(Taker taker) {
        drain(Deflater.SYNC_FLUSH, taker);
    }

    public void finish(Taker taker) {
        deflater.finish();
        drain(Deflater.NO_FLUSH, taker);
        taker.take(trailer(), Long.BYTES);
    }

    private byte[] trailer() {
        long numbers = crc.getValue() | deflater.getBytesRead() << Integer.SIZE;
        return ByteBuffer.allocate(Long.BYTES)
                .putLong(Long.reverseBytes(numbers))
                .array();
    }

    private void drain(int flush, Taker taker) {
        int length = STEP_BYTES;
        while (length == STEP_BYTES) {
            length = deflater.deflate(step, 0, STEP_BYTES, flush);
            if (length > 0) {
                taker.take(step, length);
            }
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            deflater.end();
            memory.close();
        }
    }
}
