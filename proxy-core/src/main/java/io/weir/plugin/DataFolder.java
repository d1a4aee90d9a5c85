package io.weir.plugin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** A plugin's own folder, made when it is first asked for, and readable by the proxy's user alone. Thread-safe. */
final class DataFolder {

    private final Path path;

    DataFolder(Path data, String pluginId) {
        path = data.resolve(pluginId).toAbsolutePath().normalize();
    }

    /**
     * The folder.
     *
     * @throws UncheckedIOException when it cannot be made
     */
    synchronized Path path() {
        if (!Files.isDirectory(path)) {
            try {
                Files.createDirectories(path, privateToUser());
            } catch (IOException e) {
                throw new UncheckedIOException("data folder: " + path + " (expected: a folder that can be made)", e);
            }
        }
        return path;
    }

    private FileAttribute<?>[] privateToUser() {
        // Windows gives a new folder the rights of the one above it.
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
    }
}
