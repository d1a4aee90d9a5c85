package io.weir.cache.tier.disk;

import io.weir.cache.index.PositionIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One file of records, each behind a small header: a magic number, its length, the print of its name, and a checksum of these.
 * Read by many threads, written by one.
 */
final class Segment {

    static final int HEADER = 20;
    static final byte[] BEGINNING = {'W', 'E', 'I', 'R', 'S', 'E', 'G', '1'};
    private static final int MAGIC = 0x57526563;

    private final Path file;
    private final FileChannel channel;
    private final PositionIndex index = new PositionIndex();
    private volatile int end;

    private Segment(Path file, FileChannel channel, int end) {
        this.file = file;
        this.channel = channel;
        this.end = end;
    }

    /** What a header says. */
    record Header(int length, long print) {}

    /** A new file, with nothing in it. */
    static Segment create(Path file, FileChannel channel) throws IOException {
        Segment segment = new Segment(file, channel, BEGINNING.length);
        segment.writeWhole(ByteBuffer.wrap(BEGINNING), 0);
        return segment;
    }

    /** A file that was there; what is in it is not known before it is scanned. */
    static Segment existing(Path file, FileChannel channel) throws IOException {
        return new Segment(file, channel, (int) Math.min(Integer.MAX_VALUE, channel.size()));
    }

    Path file() {
        return file;
    }

    FileChannel channel() {
        return channel;
    }

    PositionIndex index() {
        return index;
    }

    /** The bytes that it takes. */
    int end() {
        return end;
    }

    /** Takes away what follows: the beginning of a record that was never whole. */
    void cut(int at) throws IOException {
        channel.truncate(at);
        end = at;
    }

    /** Adds a record at the end; nothing of it stays where that fails. */
    void append(long print, byte[] record) throws IOException {
        int place = end;
        ByteBuffer bytes = ByteBuffer.allocate(HEADER + record.length);
        bytes.putInt(MAGIC).putInt(record.length).putLong(print);
        bytes.putInt(checksum(bytes.array())).put(record).flip();
        try {
            writeWhole(bytes, place);
        } catch (IOException e) {
            channel.truncate(place);
            throw e;
        }
        end = place + HEADER + record.length;
        index.put(print, place);
    }

    private void writeWhole(ByteBuffer bytes, int at) throws IOException {
        long position = at;
        while (bytes.hasRemaining()) {
            position += channel.write(bytes, position);
        }
    }

    private static int checksum(byte[] header) {
        CRC32C crc = new CRC32C();
        crc.update(header, 0, HEADER - 4);
        return (int) crc.getValue();
    }

    /** Reads a header from 20 bytes; null where it is none. */
    static @Nullable Header header(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        boolean right = buffer.getInt(0) == MAGIC && buffer.getInt(HEADER - 4) == checksum(bytes);
        int length = buffer.getInt(4);
        return right && length >= 0 ? new Header(length, buffer.getLong(8)) : null;
    }

    /** The record of a print; null where there is none. What stands there is not looked at. */
    byte @Nullable [] read(long print) throws IOException {
        int place = index.get(print);
        if (place < 0) {
            return null;
        }
        Header header = header(bytes(place, HEADER));
        if (header == null || header.print() != print || place + HEADER + (long) header.length() > end) {
            index.remove(print);
            return null;
        }
        return bytes(place + HEADER, header.length());
    }

    private byte[] bytes(int at, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, at + (long) buffer.position()) < 0) {
                throw new IOException("a segment ends early");
            }
        }
        return buffer.array();
    }

    /** Closes the file and takes it away. */
    void delete() throws IOException {
        channel.close();
        Files.deleteIfExists(file);
    }
}
