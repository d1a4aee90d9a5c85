package io.weir.plugin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** A plugin's own folder, created on first use and readable by the proxy's user only. Thread-safe. */
final class DataFolder {

    private final Path path;

    DataFolder(Path data, String pluginId) {
        path = data.resolve(pluginId).toAbsolutePath().normalize();
    }

    /**
     * Returns the folder.
     *
     * @throws UncheckedIOException if it cannot be created
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
        // On Windows a new folder inherits the permissions of its parent.
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
    }
}
