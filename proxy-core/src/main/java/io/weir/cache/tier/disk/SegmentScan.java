package io.weir.cache.tier.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/**
 * Finds the records of a segment that was there before, by going from header to header. A file that ends within a record was cut
 * off while it was written, and is good up to there; one that has anything else where a header should be is damaged.
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
     * @return where the last whole record ends; -1 where the file is damaged
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
        long place = Segment.BEGINNING.length;
        while (place + Segment.HEADER <= size) {
            Segment.Header header = Segment.header(at(place, Segment.HEADER));
            if (header == null) {
                // Where the machine itself stopped, a file may be longer than what was written of it.
                return allZero(place) ? (int) place : -1;
            }
            long next = place + Segment.HEADER + header.length();
            if (next > size) {
                return (int) place;
            }
            segment.index().put(header.print(), (int) place);
            place = next;
        }
        return (int) place;
    }

    private boolean allZero(long from) throws IOException {
        for (long place = from; place < size; place++) {
            if (at(place, 1)[0] != 0) {
                return false;
            }
        }
        return true;
    }

    private byte[] at(long place, int length) throws IOException {
        if (place < windowAt || place + length > windowAt + windowLength) {
            fill(place);
        }
        if (place + length > windowAt + windowLength) {
            throw new IOException("a segment ends early");
        }
        int offset = (int) (place - windowAt);
        return Arrays.copyOfRange(window, offset, offset + length);
    }

    private void fill(long place) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(window);
        windowAt = place;
        int read = 0;
        while (buffer.hasRemaining() && read >= 0) {
            read = channel.read(buffer, place + buffer.position());
        }
        windowLength = buffer.position();
    }
}
