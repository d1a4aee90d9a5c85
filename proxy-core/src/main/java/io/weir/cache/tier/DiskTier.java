package io.weir.cache.tier;

import io.weir.cache.tier.TierEntry.EntryName;
import io.weir.metrics.TransitionLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

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
}
