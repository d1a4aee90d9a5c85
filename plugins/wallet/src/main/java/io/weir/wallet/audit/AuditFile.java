package io.weir.wallet.audit;

import io.weir.wallet.state.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The file of the log. Each line is on the disk when a call returns. After a failure the file is opened anew by the next call, which
 * sets aside what the failed one left behind. Thread-safe; blocks.
 */
final class AuditFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditFile.class);

    private final Path path;
    private final InstantSource clock;
    private @Nullable FileChannel channel;
    private boolean closed;
    private long sequence;
    private String last = ChainLine.GENESIS;

    AuditFile(Path path, InstantSource clock) {
        this.path = path;
        this.clock = clock;
    }

    /**
     * Opens the file, makes it if it is missing, and finds its last line.
     *
     * @throws IOException when it cannot be continued
     */
    synchronized void open() throws IOException {
        if (closed) {
            throw new IOException("closed (expected: between start and close)");
        }
        if (channel == null) {
            PrivateFiles.hide(path);
            FileChannel opened = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                lock(opened);
                resume(opened);
            } catch (IOException | RuntimeException e) {
                opened.close();
                throw e;
            }
            channel = opened;
        }
    }

    /**
     * Appends a line.
     *
     * @param content the members between the line's number and its hash
     * @throws IOException when it cannot be written, or not to the disk
     */
    synchronized void append(ObjectNode content) throws IOException {
        open();
        FileChannel opened = channel;
        if (opened == null) {
            throw new IOException("not open");
        }
        try {
            write(opened, "", content);
        } catch (IOException | RuntimeException e) {
            release();
            throw e;
        }
    }

    /** Two writers would fork the chain. The locked byte is far behind the end, so that others can read the file. */
    private static void lock(FileChannel opened) throws IOException {
        try {
            if (opened.tryLock(Long.MAX_VALUE - 1, 1, false) != null) {
                return;
            }
        } catch (OverlappingFileLockException ignored) {
            // Said below.
        }
        throw new IOException("another wallet writes it (expected: one process for each file)");
    }

    private void resume(FileChannel opened) throws IOException {
        ChainTail tail = ChainTail.read(opened);
        sequence = tail.sequence();
        last = tail.hash();
        opened.position(opened.size());
        byte[] torn = tail.torn();
        String lineEnd = tail.endsLine() ? "" : "\n";
        if (torn != null) {
            LOG.warn("the audit log has a torn line of {} bytes behind line {}", torn.length, sequence);
            ObjectNode content = ChainLine.torn(torn.length, ChainLine.sha256(torn));
            write(opened, lineEnd, content.put("time", clock.instant().toString()));
        } else if (!lineEnd.isEmpty()) {
            put(opened, lineEnd.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private void write(FileChannel opened, String before, ObjectNode content) throws IOException {
        String line = ChainLine.text(sequence + 1, last, content);
        byte[] bytes = (before + line + "\n").getBytes(StandardCharsets.UTF_8);
        if (bytes.length > ChainLine.MAX_BYTES) {
            throw new IOException(
                    "a line of " + bytes.length + " bytes (expected: at most " + ChainLine.MAX_BYTES + ")");
        }
        put(opened, bytes);
        sequence++;
        last = line.substring(line.length() - 2 - ChainLine.GENESIS.length(), line.length() - 2);
    }

    private static void put(FileChannel opened, byte[] bytes) throws IOException {
        PrivateFiles.write(opened, bytes);
        opened.force(false);
    }

    @Override
    public synchronized void close() {
        closed = true;
        release();
    }

    private void release() {
        FileChannel opened = channel;
        channel = null;
        if (opened != null) {
            try {
                opened.close();
            } catch (IOException e) {
                LOG.warn("the audit log cannot be closed: {}", e.toString());
            }
        }
    }

    /**
     * The end of a log: its last line that fits, and the bytes that a crash left behind it. Immutable.
     *
     * @param sequence the number of the last line; 0 if there is none
     * @param hash its hash
     * @param endsLine whether the file ends with the end of a line, or is empty
     * @param torn the bytes behind that line without the last line end, or null if there are none
     */
    @SuppressWarnings("ArrayRecordComponent") // Handed over, not compared.
    private record ChainTail(long sequence, String hash, boolean endsLine, byte @Nullable [] torn) {

        /** A torn line, and a torn line about it. */
        private static final int WINDOW = 2 * ChainLine.MAX_BYTES + 2;

        /**
         * Reads the end of a file, and no more than two lines of the greatest length.
         *
         * @throws IOException when the file cannot be read, or a whole line at its end does not fit
         */
        static ChainTail read(FileChannel file) throws IOException {
            long from = Math.max(0, file.size() - WINDOW);
            return of(bytes(file, from), from == 0);
        }

        private static byte[] bytes(FileChannel file, long from) throws IOException {
            ByteBuffer window = ByteBuffer.allocate((int) (file.size() - from));
            while (window.hasRemaining() && file.read(window, from + window.position()) >= 0) {
                // Reads on.
            }
            return Arrays.copyOf(window.array(), window.position());
        }

        private static ChainTail of(byte[] bytes, boolean fromStart) throws IOException {
            boolean endsLine = bytes.length == 0 || bytes[bytes.length - 1] == '\n';
            int end = bytes.length;
            while (end > 0) {
                int contentEnd = bytes[end - 1] == '\n' ? end - 1 : end;
                int start = lineStart(bytes, contentEnd);
                if (start == 0 && !fromStart) {
                    throw new IOException("its end is no line (expected: a line that the wallet wrote)");
                }
                byte[] line = Arrays.copyOfRange(bytes, start, contentEnd);
                ChainLine found = ChainLine.parse(line);
                if (found != null) {
                    return new ChainTail(found.sequence(), found.hash(), endsLine, torn(bytes, end, endsLine));
                }
                if (contentEnd < end && ChainLine.isWhole(line)) {
                    throw new IOException("a line at its end does not fit its hash (expected: an unchanged file)");
                }
                end = start;
            }
            return new ChainTail(0, ChainLine.GENESIS, endsLine, torn(bytes, 0, endsLine));
        }

        private static int lineStart(byte[] bytes, int end) {
            int start = end;
            while (start > 0 && bytes[start - 1] != '\n') {
                start--;
            }
            return start;
        }

        private static byte @Nullable [] torn(byte[] bytes, int from, boolean endsLine) {
            return from == bytes.length ? null : Arrays.copyOfRange(bytes, from, bytes.length - (endsLine ? 1 : 0));
        }
    }
}
