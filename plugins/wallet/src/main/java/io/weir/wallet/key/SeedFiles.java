package io.weir.wallet.key;

import io.weir.wallet.name.Fingerprint;
import io.weir.wallet.state.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The folder with one file for each tenant, readable by the proxy's user alone. A file's name is a hash of the tenant's, so that
 * no name of a tenant is ever part of a path. Thread-safe, also against other processes.
 */
record SeedFiles(Path folder) {

    private static final String SUFFIX = ".seed";

    /**
     * Returns the bytes of a tenant's file, or null if there is none. Returns one byte more than the maximum if it is too long.
     */
    byte @Nullable [] read(String tenant) throws IOException {
        return read(file(tenant));
    }

    private static byte @Nullable [] read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(SealedSeed.MAX_FILE_BYTES + 1);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Whether the file of these bytes is where a tenant's belongs. */
    boolean holds(Path file, String tenant) {
        return file.equals(file(tenant));
    }

    /** Every file of a seed, by name. */
    List<Path> all() throws IOException {
        List<Path> files = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
                found.forEach(files::add);
            }
        }
        files.sort(null);
        return files;
    }

    byte[] bytes(Path file) throws IOException {
        byte[] bytes = read(file);
        return bytes == null ? new byte[0] : bytes;
    }

    /**
     * Writes a tenant's first file, whole or not at all, and so that it outlasts a loss of power.
     *
     * @throws FileAlreadyExistsException when the tenant has one
     */
    void create(String tenant, byte[] bytes) throws IOException {
        Path draft = draft(bytes);
        try {
            putFirst(draft, file(tenant));
            PrivateFiles.sync(folder);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /** Writes a tenant's file in place of the one that is there: at every moment it is the old one or the new one. */
    void replace(String tenant, byte[] bytes) throws IOException {
        Path draft = draft(bytes);
        try {
            Files.move(draft, file(tenant), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            PrivateFiles.sync(folder);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /** A link never replaces a file, so that of two that write at once one fails. Some file systems have none. */
    private static void putFirst(Path draft, Path file) throws IOException {
        try {
            Files.createLink(file, draft);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (UnsupportedOperationException | FileSystemException e) {
            Files.move(draft, file);
        }
    }

    /** Takes away a file that was made for nothing. */
    void delete(String tenant) throws IOException {
        Files.deleteIfExists(file(tenant));
        PrivateFiles.sync(folder);
    }

    private Path draft(byte[] bytes) throws IOException {
        PrivateFiles.makeFolder(folder);
        Path draft = folder.resolve(UUID.randomUUID() + ".new");
        PrivateFiles.hide(draft);
        try (FileChannel out = FileChannel.open(draft, StandardOpenOption.WRITE)) {
            PrivateFiles.write(out, bytes);
            out.force(true);
        }
        return draft;
    }

    private Path file(String tenant) {
        return folder.resolve(Fingerprint.hex(tenant) + SUFFIX);
    }
}
