package io.weir.transport.http;

import io.netty.buffer.ByteBuf;
import io.weir.framing.BodyBuffer;
import io.weir.gzip.GzipUnpacker;
import io.weir.limit.Reservation;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import org.jspecify.annotations.Nullable;

/**
 * A reader that decompresses a body as its pieces arrive, never beyond the size limit. It must be closed, because its window is outside
 * the heap. Confined to its event loop.
 */
public final class GzipReader implements AutoCloseable {

    private static final int STEP_BYTES = 1 << 13;
    private static final int MEMORY_BYTES = GzipUnpacker.MEMORY_BYTES + STEP_BYTES;

    private final GzipUnpacker unpacker = new GzipUnpacker();
    private final byte[] step = new byte[STEP_BYTES];
    private final int maxCompressed;
    private final Reservation memory;
    private long compressed;

    private GzipReader(int maxCompressed, Reservation memory) {
        this.maxCompressed = maxCompressed;
        this.memory = memory;
    }

    /**
     * Returns a reader at the beginning of a body, or null if the budget is exhausted.
     *
     * @param maxCompressed maximum size in bytes of the compressed body
     * @param memory counts the reader's own memory, and is closed with it
     */
    public static @Nullable GzipReader open(int maxCompressed, Reservation memory) {
        if (memory.tryAdd(MEMORY_BYTES)) {
            return new GzipReader(maxCompressed, memory);
        }
        memory.close();
        return null;
    }

    /**
     * Decompresses the content of a buffer, which remains the caller's. After any result but ADDED the body is lost.
     *
     * @param most stops after this many bytes, or a few more; then the same buffer must be added again
     */
    public BodyBuffer.AddResult add(ByteBuf piece, BodyBuffer body, int most) {
        int readable = piece.readableBytes();
        if (compressed + readable > maxCompressed) {
            return BodyBuffer.AddResult.TOO_LARGE;
        }
        ByteBuffer packed = piece.nioBuffer();
        long end = body.length() + (long) most;
        try {
            for (int more = 1; more > 0 && body.length() < end; ) {
                more = unpacker.unpack(packed, ByteBuffer.wrap(step));
                BodyBuffer.AddResult added = body.add(step, more);
                if (added != BodyBuffer.AddResult.ADDED) {
                    return added;
                }
            }
        } catch (DataFormatException e) {
            return BodyBuffer.AddResult.MALFORMED;
        }
        int used = readable - packed.remaining();
        compressed += used;
        piece.skipBytes(used);
        return BodyBuffer.AddResult.ADDED;
    }

    /** Returns whether the body may end here. */
    public boolean isWhole() {
        return unpacker.isWhole();
    }

    /** Returns the number of compressed bytes that arrived. */
    public long compressed() {
        return compressed;
    }

    @Override
    public void close() {
        unpacker.close();
        memory.close();
    }
}
