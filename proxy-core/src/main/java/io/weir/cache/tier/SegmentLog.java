package io.weir.cache.tier;

import io.weir.cache.PositionIndex;
import io.weir.metrics.TransitionLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Log of records in files of one folder, within a limit in bytes. Records are appended to the newest file and dropped with
 * the oldest. Many threads read it; one opens, writes and closes it.
 */
final class SegmentLog {

    private static final String SUFFIX = ".segment";
    private static final String DAMAGED = ".damaged";
    private static final int PARTS = 16;
    private static final int MAX_SEGMENT = 1 << 30;

    private final Path folder;
    private final long maxBytes;
    private final long maxEntries;
    private final int segmentBytes;
    private final Opener opener;
    private final TransitionLog log;

    /** Newest first. */
    private final CopyOnWriteArrayList<Segment> segments = new CopyOnWriteArrayList<>();

    private boolean writable;
    private long number;

    /** Opener of files, replaced by tests that simulate failures. */
    interface Opener {
        FileChannel open(Path file) throws IOException;
    }

    /** Opens a file with the system's own means. */
    static FileChannel plain(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    }

    /**
     * @param maxBytes of all files in use
     * @param maxEntries of all records, whose positions are in memory
     */
    SegmentLog(Path folder, long maxBytes, long maxEntries, Opener opener, TransitionLog log) {
        this.folder = folder;
        this.maxBytes = maxBytes;
        this.maxEntries = maxEntries;
        this.segmentBytes = (int) Math.min(MAX_SEGMENT, maxBytes / PARTS);
        this.opener = opener;
        this.log = log;
    }

    /** Returns the maximum size of one record. */
    int maxRecordBytes() {
        return segmentBytes - Segment.BEGINNING.length - Segment.HEADER;
    }

    /** Scans the existing files, newest first. Records that were found can be read at once. */
    void open() throws IOException {
        for (Path file : files()) {
            number = Math.max(number, numberOf(file));
            load(file);
        }
        trim(0);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> numberOf(file) >= 0)
                    .sorted(Comparator.comparingLong(SegmentLog::numberOf).reversed())
                    .toList();
        }
    }

    private static long numberOf(Path file) {
        String name = file.getFileName().toString();
        return name.matches("[0-9a-f]{12}\\.segment") ? Long.parseLong(name.substring(0, 12), 16) : -1;
    }

    private void load(Path file) throws IOException {
        Segment segment = Segment.existing(file, opener.open(file));
        int end;
        try {
            end = segment.channel().size() > MAX_SEGMENT ? -1 : SegmentScan.run(segment);
        } catch (IOException e) {
            end = -1;
        }
        if (end < 0) {
            setAside(segment);
            return;
        }
        boolean newest = segments.isEmpty();
        if (end < Segment.BEGINNING.length) {
            segment.delete();
            return;
        }
        if (newest && end < segmentBytes) {
            segment.truncate(end);
            writable = true;
        }
        segments.add(segment);
    }

    /** Keeps at most one damaged file for inspection. */
    private void setAside(Segment segment) throws IOException {
        segment.channel().close();
        try (Stream<Path> all = Files.list(folder)) {
            for (Path old :
                    all.filter(file -> file.toString().endsWith(DAMAGED)).toList()) {
                Files.deleteIfExists(old);
            }
        }
        Path name = segment.file().resolveSibling(segment.file().getFileName() + DAMAGED);
        Files.move(segment.file(), name);
        log.event("a file was damaged and is set aside as " + name.getFileName());
    }

    /** Returns whether there is certainly no record with a fingerprint. */
    boolean lacks(long fingerprint) {
        for (Segment segment : segments) {
            if (segment.index().get(fingerprint) >= 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the newest record with a fingerprint; null if there is none. */
    byte @Nullable [] read(long fingerprint) throws IOException {
        for (Segment segment : segments) {
            byte[] record = segment.read(fingerprint);
            if (record != null) {
                return record;
            }
        }
        return null;
    }

    /** Removes the records with a fingerprint. */
    void forget(long fingerprint) {
        segments.forEach(segment -> segment.index().remove(fingerprint));
    }

    /** Appends a record, if there is none with its fingerprint. */
    void append(long fingerprint, byte[] record) throws IOException {
        if (record.length > maxRecordBytes() || !lacks(fingerprint)) {
            return;
        }
        int size = Segment.HEADER + record.length;
        trim(size + Segment.BEGINNING.length);
        if (!writable || (long) segments.get(0).end() + size > segmentBytes) {
            begin();
        }
        segments.get(0).append(fingerprint, record);
    }

    private void begin() throws IOException {
        writable = false;
        Path file = folder.resolve("%012x".formatted(++number) + SUFFIX);
        FileChannel channel = opener.open(file);
        try {
            segments.add(0, Segment.create(file, channel));
        } catch (IOException e) {
            channel.close();
            Files.deleteIfExists(file);
            throw e;
        }
        writable = true;
    }

    /** Frees space by deleting the oldest files. */
    private void trim(int more) throws IOException {
        while (!segments.isEmpty() && (bytes() + more > maxBytes || entries() >= maxEntries)) {
            Segment oldest = segments.remove(segments.size() - 1);
            if (segments.isEmpty()) {
                writable = false;
            }
            oldest.delete();
        }
    }

    long entries() {
        long sum = 0;
        for (Segment segment : segments) {
            sum += segment.index().entries();
        }
        return sum;
    }

    long bytes() {
        long sum = 0;
        for (Segment segment : segments) {
            sum += segment.end();
        }
        return sum;
    }

    void close() throws IOException {
        for (Segment segment : new ArrayList<>(segments)) {
            segment.channel().close();
        }
    }

    /**
     * Scan of an existing segment from header to header. A file that ends within a record was interrupted while it was written,
     * and is valid up to there. A file with anything else instead of a header is damaged.
     */
    private static final class SegmentScan {

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

    /**
     * File of records, each after a small header: a magic number, its length, the fingerprint of its name, and a checksum of
     * these. Many threads read it, and one writes it.
     */
    private static final class Segment {

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
            if (header == null
                    || header.fingerprint() != fingerprint
                    || position + HEADER + (long) header.length() > end) {
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
}
