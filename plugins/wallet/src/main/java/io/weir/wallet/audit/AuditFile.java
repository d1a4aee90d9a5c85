package io.weir.wallet.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.Set;
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
    private static final String OWNER_ONLY = "rw-------";

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
            makePrivate();
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

    private void makePrivate() throws IOException {
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        if (Files.exists(path)) {
            if (posix) {
                Files.setPosixFilePermissions(path, Set.copyOf(PosixFilePermissions.fromString(OWNER_ONLY)));
            }
        } else if (posix) {
            Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY)));
            syncFolder();
        } else {
            Files.createFile(path);
        }
    }

    /** Otherwise a loss of power may take the new file away. */
    private void syncFolder() throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        if (folder != null) {
            try (FileChannel open = FileChannel.open(folder, StandardOpenOption.READ)) {
                open.force(true);
            }
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
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        while (rest.hasRemaining()) {
            opened.write(rest);
        }
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
}
