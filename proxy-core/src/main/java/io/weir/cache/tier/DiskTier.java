package io.weir.cache.tier;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.cache.tier.RecordStore.ReadResult;
import io.weir.cache.tier.TierEntry.EntryName;
import io.weir.config.WriteAccess;
import io.weir.metrics.TransitionLog;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;

/** Tier in files of one folder. It reads on its own threads. Thread-safe. */
public final class DiskTier implements ByteTier {

    private static final String NAME = "disk";
    private static final String GOOD = "up";
    private static final int READERS = 2;

    /** Lookups that may wait for reading. */
    public static final int MAX_WAITING = 1_000;

    /** Bytes of the files for each result whose position is in memory, at 30 bytes of the heap: most results are larger when packed. */
    private static final long ENTRY_BYTES = 2 << 10;

    private static final long MIN_ENTRIES = 1_000;

    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final TierFolder folder;
    private final SegmentLog segments;
    private final TransitionLog log;
    private final LongSupplier clock;
    private final ThreadPoolExecutor readers;
    private volatile boolean ready;
    private volatile boolean broken;
    private volatile boolean full;
    private long againNanos;

    private DiskTier(TierFolder folder, SegmentLog segments, TransitionLog log, LongSupplier clock) {
        this.folder = folder;
        this.segments = segments;
        this.log = log;
        this.clock = clock;
        this.readers = new ThreadPoolExecutor(
                READERS, READERS, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_WAITING), task -> {
                    Thread thread = new Thread(task, "weir-disk-reader");
                    thread.setDaemon(true);
                    return thread;
                });
        readers.allowCoreThreadTimeOut(true);
    }

    /**
     * Creates the tier of a folder without reading it yet.
     *
     * @param maxBytes of its files
     * @throws IOException with a one-line message for the operator
     */
    public static DiskTier open(Path path, long maxBytes) throws IOException {
        return open(path, maxBytes, Math.max(MIN_ENTRIES, maxBytes / ENTRY_BYTES), SegmentLog::plain, System::nanoTime);
    }

    /** @param maxEntries whose positions are in memory */
    static DiskTier open(Path path, long maxBytes, long maxEntries, SegmentLog.Opener opener, LongSupplier clock)
            throws IOException {
        TierFolder folder = TierFolder.take(path);
        TransitionLog log = TransitionLog.ofTier(NAME, GOOD);
        return new DiskTier(folder, new SegmentLog(folder.path(), maxBytes, maxEntries, opener, log), log, clock);
    }

    /** Returns the maximum size of one entry. */
    public int largestEntry() {
        return segments.maxRecordBytes();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean shared() {
        return false;
    }

    @Override
    public boolean isUp() {
        return !broken;
    }

    @Override
    public String state() {
        return broken
                ? "off: it cannot be read"
                : full ? "not stored to: it cannot be written" : ready ? GOOD : "opening";
    }

    @Override
    public void begin() {
        try {
            segments.open();
            ready = true;
        } catch (IOException e) {
            broken = true;
            log.note("cannot be read (" + e.getMessage() + "), and is off", false);
        }
    }

    @Override
    public void get(EntryName name, Consumer<ReadResult> sink) {
        long fingerprint = name.fingerprint();
        if (segments.lacks(fingerprint)) {
            sink.accept(ReadResult.NOTHING);
        } else {
            run(sink, ReadResult.FAILED, () -> read(fingerprint));
        }
    }

    private ReadResult read(long fingerprint) {
        try {
            byte[] record = segments.read(fingerprint);
            return record == null ? ReadResult.NOTHING : new ReadResult(record, false);
        } catch (IOException e) {
            return ReadResult.FAILED;
        }
    }

    /** Lookup with its result. */
    private interface Lookup<T> {
        T ask();
    }

    private <T> void run(Consumer<T> sink, T failed, Lookup<T> lookup) {
        try {
            readers.execute(() -> sink.accept(lookup.ask()));
        } catch (RejectedExecutionException e) {
            sink.accept(failed);
        }
    }

    @Override
    public void discard(EntryName name) {
        segments.forget(name.fingerprint());
    }

    @Override
    public void put(EntryName name, byte[] entry, Consumer<Boolean> sink) {
        sink.accept(put(name, entry));
    }

    private boolean put(EntryName name, byte[] entry) {
        if (broken || (full && clock.getAsLong() - againNanos < 0)) {
            return false;
        }
        try {
            segments.append(name.fingerprint(), entry);
            full = false;
            log.note(GOOD, true);
            return true;
        } catch (IOException e) {
            full = true;
            againNanos = clock.getAsLong() + AGAIN_NANOS;
            log.note("cannot be written (" + e.getMessage() + "), and keeps nothing more for now", false);
            return false;
        }
    }

    @Override
    public long entries() {
        return segments.entries();
    }

    @Override
    public long bytes() {
        return segments.bytes();
    }

    @Override
    public void readRecord(String name, Consumer<ReadResult> sink) {
        run(sink, ReadResult.FAILED, () -> folder.read(name));
    }

    @Override
    public void writeRecord(String name, byte[] value, Consumer<Boolean> sink) {
        run(sink, false, () -> folder.write(name, value));
    }

    @Override
    public void claimRecord(String name, byte[] value, Consumer<ReadResult> sink) {
        run(sink, ReadResult.FAILED, () -> folder.claim(name, value));
    }

    @Override
    public void eraseRecord(String name, Consumer<Boolean> sink) {
        run(sink, false, () -> folder.erase(name));
    }

    @Override
    public void close() {
        readers.shutdown();
        try {
            segments.close();
            folder.close();
        } catch (IOException e) {
            log.note("could not be closed (" + e.getMessage() + ")", false);
        }
    }

    /** Folder of a tier, locked by one proxy, with the tier's small records as files. Thread-safe. */
    static final class TierFolder implements AutoCloseable {

        private static final int MAX_BYTES = 4096;

        private final Path path;
        private final FileChannel lock;

        private TierFolder(Path path, FileChannel lock) {
            this.path = path;
            this.lock = lock;
        }

        /**
         * Locks a folder, and creates it if needed, with access for the owner only. A folder that other users own or may write
         * to is refused, because they could forge answers.
         *
         * @throws IOException with a one-line message for the operator
         */
        static TierFolder take(Path path) throws IOException {
            FileChannel channel;
            String brokenRule;
            try {
                if (!Files.isDirectory(path)) {
                    Files.createDirectories(path);
                    if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
                    }
                }
                brokenRule = WriteAccess.brokenRule(path);
                channel = FileChannel.open(path.resolve("lock"), StandardOpenOption.WRITE, StandardOpenOption.CREATE);
            } catch (IOException e) {
                throw problem(path, "a folder that can be made and written to");
            }
            if (brokenRule != null) {
                channel.close();
                throw problem(path, brokenRule);
            }
            if (!isLocked(channel)) {
                channel.close();
                throw problem(path, "a folder that no other proxy uses");
            }
            return new TierFolder(path, channel);
        }

        private static boolean isLocked(FileChannel channel) throws IOException {
            try {
                FileLock taken = channel.tryLock();
                return taken != null;
            } catch (OverlappingFileLockException e) {
                return false;
            }
        }

        private static IOException problem(Path path, String rule) {
            return new IOException("cache.disk.path: " + path + " (expected: " + rule + ")");
        }

        Path path() {
            return path;
        }

        synchronized ReadResult read(String name) {
            try {
                Path file = file(name);
                byte[] bytes = Files.size(file) > MAX_BYTES ? new byte[0] : Files.readAllBytes(file);
                // A damaged record counts as present, with unknown content.
                return new ReadResult(unsealed(bytes), false);
            } catch (NoSuchFileException e) {
                return ReadResult.NOTHING;
            } catch (IOException e) {
                return ReadResult.FAILED;
            }
        }

        synchronized boolean write(String name, byte[] value) {
            Path file = file(name);
            Path beside = file.resolveSibling(file.getFileName() + ".new");
            try {
                Files.write(beside, sealed(value));
                Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                return true;
            } catch (IOException e) {
                return false;
            }
        }

        /** Writes a record unless there is one, and returns the present record. */
        synchronized ReadResult claim(String name, byte[] value) {
            ReadResult there = read(name);
            boolean free = there.bytes() == null && !there.failed();
            return free && !write(name, value) ? ReadResult.FAILED : read(name);
        }

        synchronized boolean erase(String name) {
            try {
                Files.deleteIfExists(file(name));
                return true;
            } catch (IOException e) {
                return false;
            }
        }

        private Path file(String name) {
            return path.resolve(HexFormat.of().formatHex(name.getBytes(UTF_8)) + ".record");
        }

        private static byte[] sealed(byte[] value) {
            return (checksum(value) + " " + new String(value, UTF_8)).getBytes(UTF_8);
        }

        private static byte[] unsealed(byte[] bytes) {
            int blank = new String(bytes, UTF_8).indexOf(' ');
            if (blank < 0) {
                return new byte[0];
            }
            byte[] value = Arrays.copyOfRange(bytes, blank + 1, bytes.length);
            return Arrays.equals(sealed(value), bytes) ? value : new byte[0];
        }

        private static String checksum(byte[] value) {
            CRC32C crc = new CRC32C();
            crc.update(value);
            return Long.toHexString(crc.getValue());
        }

        /** Unlocks the folder. */
        @Override
        public void close() throws IOException {
            lock.close();
        }
    }
}
