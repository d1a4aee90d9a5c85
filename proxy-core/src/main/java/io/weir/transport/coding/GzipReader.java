package io.weir.transport.coding;

import io.netty.buffer.ByteBuf;
import io.weir.limit.Reservation;
import io.weir.transport.entry.BodyBuffer;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks a body as its pieces arrive, and never more of it than the body may have. Several gzip members, one behind the other,
 * are one body (RFC 1952); anything else behind a member is not taken. Confined to its event loop; to be closed, since its window
 * is outside the heap.
 */
public final class GzipReader implements AutoCloseable {

    private static final int STEP_BYTES = 1 << 13;

    /** What zlib takes to unpack, and the step. */
    private static final int MEMORY_BYTES = (44 << 10) + STEP_BYTES;

    private final Inflater inflater = new Inflater(true);
    private final MemberHeader header = new MemberHeader();
    private final CRC32 crc = new CRC32();
    private final byte[] step = new byte[STEP_BYTES];
    private final int mostPacked;
    private final Reservation memory;

    private boolean inData;
    private int trailerBytes;
    private long trailer;
    private long packed;
    private boolean between;

    private GzipReader(int mostPacked, Reservation memory) {
        this.mostPacked = mostPacked;
        this.memory = memory;
    }

    /**
     * A reader at the beginning of a body, or null where there is no room for it.
     *
     * @param mostPacked bytes that the packed body may have
     * @param memory counts what the reader itself takes, and is closed with it
     */
    public static @Nullable GzipReader open(int mostPacked, Reservation memory) {
        if (memory.tryAdd(MEMORY_BYTES)) {
            return new GzipReader(mostPacked, memory);
        }
        memory.close();
        return null;
    }

    /** Unpacks what a buffer holds, which stays the caller's. After anything but WHOLE the body is lost. */
    public BodyBuffer.Added add(ByteBuf piece, BodyBuffer body) {
        packed += piece.readableBytes();
        if (packed > mostPacked) {
            return BodyBuffer.Added.TOO_LARGE;
        }
        BodyBuffer.Added added = BodyBuffer.Added.WHOLE;
        while (piece.isReadable() && added == BodyBuffer.Added.WHOLE) {
            if (inData) {
                added = unpack(piece, body);
            } else if (trailerBytes > 0) {
                added = fits(readTrailer(piece.readByte()));
            } else {
                between = false;
                added = fits(header.take(piece.readUnsignedByte()));
                inData = header.isWhole();
            }
        }
        return added;
    }

    /** Whether the body may end here. */
    public boolean isWhole() {
        return between;
    }

    /** How many bytes came, packed. */
    public long packed() {
        return packed;
    }

    private BodyBuffer.Added unpack(ByteBuf piece, BodyBuffer body) {
        ByteBuffer in = piece.nioBuffer();
        int begin = in.position();
        inflater.setInput(in);
        try {
            for (int more = inflater.inflate(step); more > 0; more = inflater.inflate(step)) {
                crc.update(step, 0, more);
                BodyBuffer.Added added = body.add(step, more);
                if (added != BodyBuffer.Added.WHOLE) {
                    return added;
                }
            }
        } catch (DataFormatException e) {
            return BodyBuffer.Added.BROKEN;
        }
        piece.skipBytes(in.position() - begin);
        if (inflater.finished()) {
            inData = false;
            trailerBytes = Long.BYTES;
        }
        return BodyBuffer.Added.WHOLE;
    }

    /** The checksum and the length of what was unpacked, lowest byte first; false where they are others. */
    private boolean readTrailer(byte b) {
        trailer = trailer >>> Byte.SIZE | (long) b << (Long.SIZE - Byte.SIZE);
        if (--trailerBytes > 0) {
            return true;
        }
        boolean right = (trailer & 0xffff_ffffL) == crc.getValue()
                && trailer >>> Integer.SIZE == (inflater.getBytesWritten() & 0xffff_ffffL);
        between = true;
        inflater.reset();
        header.reset();
        crc.reset();
        return right;
    }

    private static BodyBuffer.Added fits(boolean right) {
        return right ? BodyBuffer.Added.WHOLE : BodyBuffer.Added.BROKEN;
    }

    @Override
    public void close() {
        inflater.end();
        memory.close();
    }
}
