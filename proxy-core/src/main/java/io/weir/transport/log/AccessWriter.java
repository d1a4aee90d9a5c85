package io.weir.transport.log;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.codahale.metrics.Counter;
import java.io.Closeable;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.CharacterEscapes;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/**
 * The writer of log entries to a file, on a thread of its own, so that a slow disk delays no request. Entries that do
 * not fit into its queue are dropped and counted. Thread-safe.
 */
public final class AccessWriter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AccessWriter.class);

    static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .characterEscapes(new PrintableEscapes())
            .build();

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

    /** Records a finished entry. Never blocks. */
    void add(AccessLogEntry entry) {
        if (closed || !queue.offer(entry)) {
            dropped.inc();
        }
    }

    private void run() {
        List<AccessLogEntry> entries = new ArrayList<>(MAX_AT_ONCE);
        StringWriter lines = new StringWriter();
        boolean more = true;
        while (more) {
            // Read first, so that entries added before the close are still written.
            boolean last = closed;
            takeSome(entries);
            entries.forEach(entry -> line(entry, lines));
            write(lines.getBuffer(), entries.size());
            more = !last || !entries.isEmpty();
            entries.clear();
            lines.getBuffer().setLength(0);
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

    private static void line(AccessLogEntry entry, StringWriter lines) {
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), lines)) {
            entry.writeTo(json);
        }
        lines.write('\n');
    }

    private void write(CharSequence lines, int count) {
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

    /** Escapes of all characters of ASCII that cannot be printed. Immutable. */
    private static final class PrintableEscapes extends CharacterEscapes {

        private static final long serialVersionUID = 1;

        @Override
        public int[] getEscapeCodesForAscii() {
            int[] codes = standardAsciiEscapesForJSON();
            codes[0x7f] = ESCAPE_STANDARD;
            return codes;
        }

        @Override
        public @Nullable SerializableString getEscapeSequence(int character) {
            return null;
        }
    }

    /**
     * The file of the access log. It is reopened if it was removed or replaced, so that it can be rotated without a signal.
     * Confined to one thread.
     */
    private static final class AccessFile implements Closeable {

        private static final Set<OpenOption> APPEND =
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);

        private final Path path;
        private FileChannel channel;
        private @Nullable Object key;

        /** Opens the file. */
        AccessFile(Path path) throws IOException {
            this.path = path;
            this.channel = open(path);
            this.key = key(path);
        }

        private static FileChannel open(Path path) throws IOException {
            boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
            FileAttribute<?>[] ownersOnly = posix
                    ? new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                    }
                    : new FileAttribute<?>[0];
            return FileChannel.open(path, APPEND, ownersOnly);
        }

        private static @Nullable Object key(Path path) throws IOException {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        }

        /** Appends lines of ASCII. */
        void write(CharSequence lines) throws IOException {
            ByteBuffer bytes = ByteBuffer.wrap(lines.toString().getBytes(US_ASCII));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }

        /** Reopens the file if its path refers to another one, or to none. */
        void reopenIfMoved() throws IOException {
            if (channel.isOpen() && Files.exists(path) && Objects.equals(key, key(path))) {
                return;
            }
            channel.close();
            channel = open(path);
            key = key(path);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
