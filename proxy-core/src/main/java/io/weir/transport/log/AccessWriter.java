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
 * Writes notes to a file, on a thread of its own, so that a slow disk holds up nobody: what does not fit into its queue is
 * dropped and counted. Thread-safe.
 */
public final class AccessWriter implements AccessLog, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AccessWriter.class);

    private static final int MAX_AT_ONCE = 256;
    private static final long POLL_MILLIS = 200;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long CLOSE_MILLIS = 5_000;

    private final AccessFile file;
    private final BlockingQueue<AccessLogEntry> queue;
    private final Counter dropped;
    private final Thread thread;
    private volatile boolean closed;
    private long lookNanos = System.nanoTime();
    private boolean failing;

    private AccessWriter(AccessFile file, int most, Counter dropped) {
        this.file = file;
        this.queue = new ArrayBlockingQueue<>(most);
        this.dropped = dropped;
        this.thread = new Thread(this::run, "weir-access-log");
        this.thread.setDaemon(true);
    }

    /**
     * Opens the file and begins to write.
     *
     * @param most notes that may wait
     * @param dropped counts what was not written
     * @throws IOException where the file cannot be opened; says which setting that is
     */
    public static AccessWriter open(Path path, int most, Counter dropped) throws IOException {
        try {
            AccessWriter writer = new AccessWriter(new AccessFile(path), most, dropped);
            writer.thread.start();
            return writer;
        } catch (IOException e) {
            throw new IOException("server.access-log.file: " + path + " (expected: a file that can be written)", e);
        }
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public void add(AccessLogEntry note) {
        if (closed || !queue.offer(note)) {
            dropped.inc();
        }
    }

    private void run() {
        List<AccessLogEntry> notes = new ArrayList<>(MAX_AT_ONCE);
        StringBuilder lines = new StringBuilder();
        boolean more = true;
        while (more) {
            // Asked first: what was added before the end is written.
            boolean last = closed;
            takeSome(notes);
            notes.forEach(note -> note.writeTo(new AccessLine(lines)));
            write(lines, notes.size());
            more = !last || !notes.isEmpty();
            notes.clear();
            lines.setLength(0);
        }
    }

    private void takeSome(List<AccessLogEntry> notes) {
        try {
            AccessLogEntry first = queue.poll(closed ? 0 : POLL_MILLIS, TimeUnit.MILLISECONDS);
            if (first != null) {
                notes.add(first);
                queue.drainTo(notes, MAX_AT_ONCE - 1);
            }
        } catch (InterruptedException e) {
            // Only its owner ends this thread, by closing.
            closed = true;
        }
    }

    private void write(StringBuilder lines, int count) {
        try {
            long now = System.nanoTime();
            if (now - lookNanos >= 0) {
                lookNanos = now + LOOK_NANOS;
                file.follow();
            }
            if (count > 0) {
                file.write(lines);
            }
            failing = false;
        } catch (IOException e) {
            dropped.inc(count);
            if (!failing) {
                failing = true;
                LOG.warn("access log: cannot be written: {}", String.valueOf(e.getMessage()));
            }
        }
    }

    /** Writes what waits, and closes the file. */
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
