package io.weir.transport.log;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file of the access log. It is reopened if it was removed or replaced, so that it can be rotated without a signal.
 * Confined to one thread.
 */
final class AccessFile implements Closeable {

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
