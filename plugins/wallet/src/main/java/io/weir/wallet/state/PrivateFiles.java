package io.weir.wallet.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that the proxy's user alone may read. Windows has no such modes: there the folder decides. Thread-safe; blocks. */
public final class PrivateFiles {
    private static final String MODE = "rw-------";

    private PrivateFiles() {}

    /** Hides a file from other users, and makes it, empty, if it is missing. */
    public static void hide(Path file) throws IOException {
        if (!Files.exists(file)) {
            Files.createFile(file, mode(file, MODE));
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                sync(folder);
            }
        } else if (isPosix(file)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(MODE));
        }
    }

    /** Makes a folder that is hidden from other users, unless it is there. */
    public static void makeFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, mode(folder, "rwx------"));
        }
    }

    /**
     * Brings a folder to the disk: otherwise a loss of power may take a new file away. Windows opens no folder as a file, and needs no
     * such thing.
     */
    public static void sync(Path folder) throws IOException {
        if (isPosix(folder)) {
            try (FileChannel open = FileChannel.open(folder, StandardOpenOption.READ)) {
                open.force(true);
            }
        }
    }

    /** Writes all of some bytes. */
    public static void write(FileChannel file, byte[] bytes) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        while (rest.hasRemaining()) {
            file.write(rest);
        }
    }

    /** Whether users other than a file's own may read it. */
    public static boolean isOpen(Path file) throws IOException {
        return isPosix(file) && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
    }

    private static FileAttribute<?>[] mode(Path path, String mode) {
        return isPosix(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))}
                : new FileAttribute<?>[0];
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
