package io.weir.gzip;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * A decompressor of gzip (RFC 1952) that never gives more bytes at once than its caller has room for, whatever the packed bytes hold.
 * Several consecutive members are one text. Other bytes after a member are an error. It must be closed, because its window is outside
 * the heap. Confined to its event loop.
 */
public final class GzipUnpacker implements AutoCloseable {

    /** Memory that zlib needs to decompress. */
    public static final int MEMORY_BYTES = 44 << 10;

    private final Inflater inflater = new Inflater(true);
    private final MemberHeader header = new MemberHeader();
    private final CRC32 crc = new CRC32();

    private boolean inData;
    private int trailerBytes;
    private long trailer;
    private boolean memberEnded;

    /**
     * Unpacks the next bytes.
     *
     * @param packed read as far as it was used, and to its end if nothing comes out
     * @param out has room for at least one byte; written from its position on
     * @return the number of bytes; 0 if more packed ones are needed
     * @throws DataFormatException if no gzip continues like this; then only {@link #close} may follow
     */
    public int unpack(ByteBuffer packed, ByteBuffer out) throws DataFormatException {
        while (true) {
            if (inData) {
                int made = inflate(packed, out);
                if (made > 0 || inData) {
                    return made;
                }
            } else if (packed.hasRemaining()) {
                takeFraming(packed);
            } else {
                return 0;
            }
        }
    }

    private int inflate(ByteBuffer packed, ByteBuffer out) throws DataFormatException {
        int from = out.position();
        inflater.setInput(packed);
        int made = inflater.inflate(out);
        crc.update(out.duplicate().limit(from + made).position(from));
        if (inflater.finished()) {
            inData = false;
            trailerBytes = Long.BYTES;
        }
        return made;
    }

    private void takeFraming(ByteBuffer packed) throws DataFormatException {
        if (trailerBytes > 0) {
            takeTrailer(packed.get());
            return;
        }
        memberEnded = false;
        if (!header.take(packed.get() & 0xff)) {
            throw new DataFormatException("no header of a member");
        }
        inData = header.isWhole();
    }

    /** Takes a byte of the checksum and the length of the unpacked bytes, lowest byte first. */
    private void takeTrailer(byte b) throws DataFormatException {
        trailer = trailer >>> Byte.SIZE | (long) b << (Long.SIZE - Byte.SIZE);
        if (--trailerBytes > 0) {
            return;
        }
        boolean right = (trailer & 0xffff_ffffL) == crc.getValue()
                && trailer >>> Integer.SIZE == (inflater.getBytesWritten() & 0xffff_ffffL);
        if (!right) {
            throw new DataFormatException("another checksum or length");
        }
        reset();
        memberEnded = true;
    }

    /** Returns whether the text may end here. */
    public boolean isWhole() {
        return memberEnded;
    }

    /** Begins anew, with another text. */
    public void reset() {
        inflater.reset();
        header.reset();
        crc.reset();
        inData = false;
        trailerBytes = 0;
        memberEnded = false;
    }

    @Override
    public void close() {
        inflater.end();
    }
}
