package io.weir.transport.log;

import com.codahale.metrics.Counter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writer of log entries to a file, on a thread of its own, so that a slow disk delays no request. Entries that do
 * not fit into its queue are dropped and counted. Thread-safe.
 */
public final class AccessWriter implements AccessLog, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AccessWriter.class);

    /** Waiting entries: those of some seconds in which the disk stands still. */
    private static final int MAX_WAITING = 8_192;

    private static final int MAX_AT_ONCE = 256;
    private static final long POLL_MILLIS = 200;
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long CLOSE_MILLIS = 5_000;

    private final AccessFile file;
    private final BlockingQueue<AccessLogEntry> queue;
    private final Counter dropped;
    private final Thread thread;
    private volatile boolean closed;
    private long checkNanos = System.nanoTime();
    private boolean failing;

    private AccessWriter(AccessFile file, int max, Counter dropped) {
        this.file = file;
        this.queue = new ArrayBlockingQueue<>(max);
        this.dropped = dropped;
        this.thread = new Thread(this::run, "weir-access-log");
        this.thread.setDaemon(true);
    }

    /**
     * Opens the file and starts to write.
     *
     * @param dropped counts entries that were not written
     * @throws IOException if the file cannot be opened; names the setting
     */
    public static AccessWriter open(Path path, Counter dropped) throws IOException {
        return open(path, MAX_WAITING, dropped);
    }

    /**
     * Opens the file and starts to write.
     *
     * @param max maximum number of waiting entries
     * @param dropped counts entries that were not written
     * @throws IOException if the file cannot be opened; names the setting
     */
    static AccessWriter open(Path path, int max, Counter dropped) throws IOException {
        try {
            AccessWriter writer = new AccessWriter(new AccessFile(path), max, dropped);
            writer.thread.start();
            return writer;
        } catch (IOException e) {
            throw new IOException("server.access-log.file: " + path + " (expected: a file that can be written)", e);
        }
    }

    @Override
    public void add(AccessLogEntry entry) {
        if (closed || !queue.offer(entry)) {
            dropped.inc();
        }
    }

    private void run() {
        List<AccessLogEntry> entries = new ArrayList<>(MAX_AT_ONCE);
        StringBuilder lines = new StringBuilder();
        boolean more = true;
        while (more) {
            // Read first, so that entries added before the close are still written.
            boolean last = closed;
            takeSome(entries);
            entries.forEach(entry -> entry.writeTo(new AccessLine(lines)));
            write(lines, entries.size());
            more = !last || !entries.isEmpty();
            entries.clear();
            lines.setLength(0);
        }
    }

    private void takeSome(List<AccessLogEntry> entries) {
        try {
            AccessLogEntry first = queue.poll(closed ? 0 : POLL_MILLIS, TimeUnit.MILLISECONDS);
            if (first != null) {
                entries.add(first);
                queue.drainTo(entries, MAX_AT_ONCE - 1);
            }
        } catch (InterruptedException e) {
            // Only its owner ends this thread, by closing the writer.
            closed = true;
        }
    }

    private void write(StringBuilder lines, int count) {
        try {
            long now = System.nanoTime();
            if (now - checkNanos >= 0) {
                checkNanos = now + CHECK_NANOS;
                file.reopenIfMoved();
            }
            if (count > 0) {
                file.write(lines);
            }
            failing = false;
        } catch (IOException e) {
            dropped.inc(count);
            if (!failing) {
                failing = true;
                LOG.warn("access log cannot be written: {}", String.valueOf(e.getMessage()));
            }
        }
    }

    /** Writes the waiting entries, and closes the file. */
    @Override
    public void close() throws IOException {
        closed = true;
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        file.close();
    }
}
