package io.weir.cache.tier.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/**
 * Scan of an existing segment from header to header. A file that ends within a record was interrupted while it was written,
 * and is valid up to there. A file with anything else instead of a header is damaged.
 */
final class SegmentScan {

    private static final int WINDOW = 1 << 16;

    private final FileChannel channel;
    private final long size;
    private final byte[] window = new byte[WINDOW];
    private long windowAt;
    private int windowLength;

    private SegmentScan(FileChannel channel, long size) {
        this.channel = channel;
        this.size = size;
    }

    /**
     * Fills the index.
     *
     * @return the end of the last complete record; -1 if the file is damaged
     */
    static int run(Segment segment) throws IOException {
        return new SegmentScan(segment.channel(), segment.end()).scan(segment);
    }

    private int scan(Segment segment) throws IOException {
        if (size < Segment.BEGINNING.length) {
            return 0;
        }
        if (!Arrays.equals(at(0, Segment.BEGINNING.length), Segment.BEGINNING)) {
            return -1;
        }
        long position = Segment.BEGINNING.length;
        while (position + Segment.HEADER <= size) {
            Segment.Header header = Segment.header(at(position, Segment.HEADER));
            if (header == null) {
                // After a crash of the machine a file may be longer than its written content.
                return allZero(position) ? (int) position : -1;
            }
            long next = position + Segment.HEADER + header.length();
            if (next > size) {
                return (int) position;
            }
            segment.index().put(header.fingerprint(), (int) position);
            position = next;
        }
        return (int) position;
    }

    private boolean allZero(long from) throws IOException {
        for (long position = from; position < size; position++) {
            if (at(position, 1)[0] != 0) {
                return false;
            }
        }
        return true;
    }

    private byte[] at(long position, int length) throws IOException {
        if (position < windowAt || position + length > windowAt + windowLength) {
            fill(position);
        }
        if (position + length > windowAt + windowLength) {
            throw new IOException("a segment ends early");
        }
        int offset = (int) (position - windowAt);
        return Arrays.copyOfRange(window, offset, offset + length);
    }

    private void fill(long position) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(window);
        windowAt = position;
        int read = 0;
        while (buffer.hasRemaining() && read >= 0) {
            read = channel.read(buffer, position + buffer.position());
        }
        windowLength = buffer.position();
    }
}
