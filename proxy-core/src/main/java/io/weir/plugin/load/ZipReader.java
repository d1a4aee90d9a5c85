package io.weir.plugin.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** Unpacks a plugin's zip. Checks every name before it writes anything, and bounds the total size. Stateless. */
final class ZipReader {

    private static final int MAX_ENTRIES = 20_000;
    private static final long MAX_BYTES = 512L << 20;

    private ZipReader() {}

    /**
     * Unpacks a zip.
     *
     * @throws IOException if the archive cannot be read, or has a path outside the target
     */
    static void unpack(Path zip, Path target) throws IOException {
        try (ZipFile archive = new ZipFile(zip.toFile())) {
            if (archive.size() > MAX_ENTRIES) {
                throw new ZipException("entries: " + archive.size() + " (expected: at most " + MAX_ENTRIES + ")");
            }
            List<? extends ZipEntry> entries = Collections.list(archive.entries());
            for (ZipEntry entry : entries) {
                checkName(entry.getName(), target);
            }
            long left = MAX_BYTES;
            for (ZipEntry entry : entries) {
                left -= write(archive, entry, target.resolve(entry.getName()), left);
            }
        }
    }

    private static void checkName(String name, Path target) throws ZipException {
        boolean plain = name.chars().noneMatch(c -> "\\:\0".indexOf(c) >= 0)
                && !List.of(name.split("/")).contains("..");
        if (!plain || !target.resolve(name).normalize().startsWith(target)) {
            throw new ZipException("entry: " + name + " (expected: a plain path below the plugin's folder)");
        }
    }

    private static long write(ZipFile archive, ZipEntry entry, Path file, long left) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(file);
            return 0;
        }
        Files.createDirectories(file.getParent());
        long written = 0;
        byte[] buffer = new byte[8192];
        try (InputStream in = archive.getInputStream(entry);
                OutputStream out = Files.newOutputStream(file)) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                written += read;
                // Counted while unpacking, because the sizes stated in an archive may be wrong.
                if (written > left) {
                    throw new ZipException("unpacked size: over " + MAX_BYTES + " bytes (expected: less)");
                }
                out.write(buffer, 0, read);
            }
        }
        return written;
    }
}
