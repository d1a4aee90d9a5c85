package io.weir.plugin;

import io.weir.api.setting.Folders;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of plugins' files, from which their classes are loaded. The JDK maps and caches open jars by path, so
 * replacing or rebuilding a jar would break a running plugin. A folder's {@code classes/} become one jar, because open
 * jars survive a cleaner of temporary files and loose classes do not. Confined to the thread that loads plugins.
 */
final class StagingArea implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StagingArea.class);

    private final Path folder;
    private int staged;

    StagingArea() throws IOException {
        folder = Files.createTempDirectory("weir-plugins-");
    }

    /** Copies a plugin's files. Returns its jars, its own classes first. */
    List<Path> stage(Path source) throws IOException {
        Path target = Files.createDirectory(folder.resolve(Integer.toString(staged++)));
        String name = source.getFileName().toString();
        if (Files.isDirectory(source)) {
            return stageFolder(source, target);
        }
        if (name.endsWith(".zip")) {
            Path unpacked = Files.createDirectory(target.resolve("unpacked"));
            ZipReader.unpack(source, unpacked);
            return stageFolder(unpacked, target);
        }
        return List.of(Files.copy(source, target.resolve(name)));
    }

    private static List<Path> stageFolder(Path source, Path target) throws IOException {
        List<Path> jars = new ArrayList<>();
        Path packed = source.resolve(PluginFolders.PACKED_CLASSES);
        Path classes = source.resolve("classes");
        if (Files.isRegularFile(packed)) {
            jars.add(Files.copy(packed, target.resolve(PluginFolders.PACKED_CLASSES)));
        } else if (Files.isDirectory(classes)) {
            jars.add(pack(classes, target.resolve(PluginFolders.PACKED_CLASSES)));
        }
        Path libraries = source.resolve("lib");
        if (Files.isDirectory(libraries)) {
            Path copies = Files.createDirectory(target.resolve("lib"));
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(libraries, "*.jar")) {
                for (Path library : entries) {
                    jars.add(copy(library, copies.resolve(library.getFileName())));
                }
            }
            Collections.sort(jars); // "classes.jar" comes before "lib".
        }
        return jars;
    }

    /** Copies a library. A link to one of the proxy's own stays a link, because those stay while the proxy runs. */
    private static Path copy(Path library, Path copy) throws IOException {
        Path real = library.toRealPath();
        Path ours = Folders.ofProcess().read("lib").toAbsolutePath();
        boolean shared = Files.isSymbolicLink(library) && real.startsWith(ours);
        return shared ? Files.createSymbolicLink(copy, real) : Files.copy(library, copy);
    }

    private static Path pack(Path classes, Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(new BufferedOutputStream(Files.newOutputStream(jar)));
                Stream<Path> files = Files.walk(classes)) {
            // The jar is read once, soon, on this machine, so compression would cost more than it saves.
            out.setLevel(Deflater.NO_COMPRESSION);
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                out.putNextEntry(
                        new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
                out.write(Files.readAllBytes(file));
                out.closeEntry();
            }
        }
        return jar;
    }

    @Override
    public void close() {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("cannot remove {}: {}", folder, e.toString());
        }
    }

    /** Unpacks a plugin's zip. Checks every name before it writes anything, and bounds the total size. Stateless. */
    private static final class ZipReader {

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
}
