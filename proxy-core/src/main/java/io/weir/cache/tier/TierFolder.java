package io.weir.cache.tier;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.cache.tier.RecordStore.ReadResult;
import io.weir.config.WriteAccess;
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
import java.util.zip.CRC32C;

/** Folder of a tier, locked by one proxy, with the tier's small records as files. Thread-safe. */
final class TierFolder implements AutoCloseable {

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
