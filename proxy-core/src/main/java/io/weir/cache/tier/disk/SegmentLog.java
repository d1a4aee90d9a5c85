package io.weir.cache.tier.disk;

import io.weir.cache.tier.bytes.TierTransitionLog;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records in files of one folder, within a bound in bytes: written at the end of the newest file, and forgotten with the oldest
 * one. Read by many threads; opened, written and closed by one.
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
    private final TierTransitionLog log;

    /** Newest first. */
    private final CopyOnWriteArrayList<Segment> segments = new CopyOnWriteArrayList<>();

    private boolean writable;
    private long number;

    /** How files are opened, which tests let fail. */
    interface Opener {
        FileChannel open(Path file) throws IOException;
    }

    /** As the system does. */
    static FileChannel plain(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    }

    /**
     * Looks at nothing yet.
     *
     * @param maxBytes of all files that are in use
     * @param maxEntries of all records, whose places are kept in memory
     */
    SegmentLog(Path folder, long maxBytes, long maxEntries, Opener opener, TierTransitionLog log) {
        this.folder = folder;
        this.maxBytes = maxBytes;
        this.maxEntries = maxEntries;
        this.segmentBytes = (int) Math.min(MAX_SEGMENT, maxBytes / PARTS);
        this.opener = opener;
        this.log = log;
    }

    /** The most that one record may have. */
    int largestRecord() {
        return segmentBytes - Segment.BEGINNING.length - Segment.HEADER;
    }

    /** Finds what is there, the newest first; what has been found can be read at once. */
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
            segment.cut(end);
            writable = true;
        }
        segments.add(segment);
    }

    /** Keeps one such file at most, for who wants to look at it. */
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

    /** Whether there surely is no record of a print. */
    boolean lacks(long print) {
        for (Segment segment : segments) {
            if (segment.index().get(print) >= 0) {
                return false;
            }
        }
        return true;
    }

    /** The newest record of a print; null where there is none. */
    byte @Nullable [] read(long print) throws IOException {
        for (Segment segment : segments) {
            byte[] record = segment.read(print);
            if (record != null) {
                return record;
            }
        }
        return null;
    }

    /** Forgets the records of a print. */
    void forget(long print) {
        segments.forEach(segment -> segment.index().remove(print));
    }

    /** Adds a record, where there is none of its print. */
    void append(long print, byte[] record) throws IOException {
        if (record.length > largestRecord() || !lacks(print)) {
            return;
        }
        int size = Segment.HEADER + record.length;
        trim(size + Segment.BEGINNING.length);
        if (!writable || (long) segments.get(0).end() + size > segmentBytes) {
            begin();
        }
        segments.get(0).append(print, record);
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

    /** Makes room by forgetting the oldest. */
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
}
