package io.weir.cache.tier;

import io.weir.cache.PositionIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * File of records, each after a small header: a magic number, its length, the fingerprint of its name, and a checksum of
 * these. Many threads read it, and one writes it.
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

    /** Content of a header. Immutable. */
    record Header(int length, long fingerprint) {}

    /** Creates an empty file. */
    static Segment create(Path file, FileChannel channel) throws IOException {
        Segment segment = new Segment(file, channel, BEGINNING.length);
        segment.writeWhole(ByteBuffer.wrap(BEGINNING), 0);
        return segment;
    }

    /** Opens an existing file, whose content is unknown until it is scanned. */
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

    /** Returns the bytes in use. */
    int end() {
        return end;
    }

    /** Removes the rest of the file, which is an incomplete record. */
    void truncate(int at) throws IOException {
        channel.truncate(at);
        end = at;
    }

    /** Appends a record. If that fails, nothing of it stays. */
    void append(long fingerprint, byte[] record) throws IOException {
        int position = end;
        ByteBuffer bytes = ByteBuffer.allocate(HEADER + record.length);
        bytes.putInt(MAGIC).putInt(record.length).putLong(fingerprint);
        bytes.putInt(checksum(bytes.array())).put(record).flip();
        try {
            writeWhole(bytes, position);
        } catch (IOException e) {
            channel.truncate(position);
            throw e;
        }
        end = position + HEADER + record.length;
        index.put(fingerprint, position);
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

    /** Reads a header from 20 bytes; null if it is not one. */
    static @Nullable Header header(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        boolean right = buffer.getInt(0) == MAGIC && buffer.getInt(HEADER - 4) == checksum(bytes);
        int length = buffer.getInt(4);
        return right && length >= 0 ? new Header(length, buffer.getLong(8)) : null;
    }

    /** Returns the record with a fingerprint; null if there is none. Its content is not checked. */
    byte @Nullable [] read(long fingerprint) throws IOException {
        int position = index.get(fingerprint);
        if (position < 0) {
            return null;
        }
        Header header = header(bytes(position, HEADER));
        if (header == null || header.fingerprint() != fingerprint || position + HEADER + (long) header.length() > end) {
            index.remove(fingerprint);
            return null;
        }
        return bytes(position + HEADER, header.length());
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

    /** Closes the file and deletes it. */
    void delete() throws IOException {
        channel.close();
        Files.deleteIfExists(file);
    }
}
