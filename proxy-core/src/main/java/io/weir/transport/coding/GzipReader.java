package io.weir.transport.coding;

import io.netty.buffer.ByteBuf;
import io.weir.limit.Reservation;
import io.weir.transport.request.BodyBuffer;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * A reader that decompresses a body as its pieces arrive, never beyond the size limit. Several consecutive gzip members
 * are one body (RFC 1952). Other bytes after a member are rejected. It must be closed, because its window is outside
 * the heap. Confined to its event loop.
 */
public final class GzipReader implements AutoCloseable {

    private static final int STEP_BYTES = 1 << 13;

    /** Memory that zlib needs to decompress, plus the step. */
    private static final int MEMORY_BYTES = (44 << 10) + STEP_BYTES;

    private final Inflater inflater = new Inflater(true);
    private final MemberHeader header = new MemberHeader();
    private final CRC32 crc = new CRC32();
    private final byte[] step = new byte[STEP_BYTES];
    private final int maxCompressed;
    private final Reservation memory;

    private boolean inData;
    private int trailerBytes;
    private long trailer;
    private long compressed;
    private boolean memberEnded;

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
     */
    public BodyBuffer.AddResult add(ByteBuf piece, BodyBuffer body) {
        compressed += piece.readableBytes();
        if (compressed > maxCompressed) {
            return BodyBuffer.AddResult.TOO_LARGE;
        }
        BodyBuffer.AddResult added = BodyBuffer.AddResult.ADDED;
        while (piece.isReadable() && added == BodyBuffer.AddResult.ADDED) {
            if (inData) {
                added = decompress(piece, body);
            } else if (trailerBytes > 0) {
                added = result(readTrailer(piece.readByte()));
            } else {
                memberEnded = false;
                added = result(header.take(piece.readUnsignedByte()));
                inData = header.isWhole();
            }
        }
        return added;
    }

    /** Returns whether the body may end here. */
    public boolean isWhole() {
        return memberEnded;
    }

    /** Returns the number of compressed bytes that arrived. */
    public long compressed() {
        return compressed;
    }

    private BodyBuffer.AddResult decompress(ByteBuf piece, BodyBuffer body) {
        ByteBuffer in = piece.nioBuffer();
        int begin = in.position();
        inflater.setInput(in);
        try {
            for (int more = inflater.inflate(step); more > 0; more = inflater.inflate(step)) {
                crc.update(step, 0, more);
                BodyBuffer.AddResult added = body.add(step, more);
                if (added != BodyBuffer.AddResult.ADDED) {
                    return added;
                }
            }
        } catch (DataFormatException e) {
            return BodyBuffer.AddResult.MALFORMED;
        }
        piece.skipBytes(in.position() - begin);
        if (inflater.finished()) {
            inData = false;
            trailerBytes = Long.BYTES;
        }
        return BodyBuffer.AddResult.ADDED;
    }

    /**
     * Reads the checksum and the length of the decompressed bytes, lowest byte first. Returns false if they do not
     * match.
     */
    private boolean readTrailer(byte b) {
        trailer = trailer >>> Byte.SIZE | (long) b << (Long.SIZE - Byte.SIZE);
        if (--trailerBytes > 0) {
            return true;
        }
        boolean right = (trailer & 0xffff_ffffL) == crc.getValue()
                && trailer >>> Integer.SIZE == (inflater.getBytesWritten() & 0xffff_ffffL);
        memberEnded = true;
        inflater.reset();
        header.reset();
        crc.reset();
        return right;
    }

    private static BodyBuffer.AddResult result(boolean right) {
        return right ? BodyBuffer.AddResult.ADDED : BodyBuffer.AddResult.MALFORMED;
    }

    @Override
    public void close() {
        inflater.end();
        memory.close();
    }
}
