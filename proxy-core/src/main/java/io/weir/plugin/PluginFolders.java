package io.weir.plugin;

import io.weir.config.WriteAccess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import org.pf4j.PluginRepository;
import org.pf4j.PluginRuntimeException;
import org.pf4j.PropertiesPluginDescriptorFinder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The possible plugins in the configured folders: jars, zips, folders with {@code classes.jar}, {@code
 * classes/} or {@code lib/} and a descriptor, and build output in {@code <module>/target/plugin/} of a checkout. Folders without a descriptor are
 * skipped silently, because a checkout contains libraries beside its plugins. Immutable.
 */
final class PluginFolders implements PluginRepository {

    private static final Logger LOG = LoggerFactory.getLogger(PluginFolders.class);
    /** A folder's own classes in one file, instead of {@code classes/}: each file of a plugin costs time at every start. */
    static final String PACKED_CLASSES = "classes.jar";

    private static final String BUILD_OUTPUT = "target/plugin";

    private final List<Path> roots;

    PluginFolders(List<Path> roots) {
        this.roots = List.copyOf(roots);
    }

    /** Returns the candidates in the order of the folders, and by name within each. */
    @Override
    public List<Path> getPluginPaths() {
        List<Path> found = new ArrayList<>();
        for (Path root : roots) {
            if (Files.isDirectory(root)) {
                found.addAll(candidates(root));
            } else {
                LOG.warn("plugins.path: {} (expected: a folder); no plugins from there", root);
            }
        }
        return found;
    }

    /** Deletes nothing, because plugins belong to the operator. */
    @Override
    public boolean deletePluginPath(Path pluginPath) {
        return false;
    }

    /**
     * Checks that no other user may change a plugin's files.
     *
     * @throws PluginException with the first file or folder that others own or may write to
     */
    @SuppressWarnings("StreamResourceLeak") // The joined stream closes both.
    static void checkWriters(Path plugin) throws PluginException {
        boolean built = plugin.endsWith(BUILD_OUTPUT);
        Stream<Path> around = built ? foldersOfBuild(plugin) : Stream.of();
        try (Stream<Path> files = Stream.concat(around, Files.walk(plugin))) {
            Set<UserPrincipal> trusted = WriteAccess.trustedUsers();
            for (Path file : (Iterable<Path>) files::iterator) {
                String rule = WriteAccess.brokenRule(file, trusted);
                if (rule != null) {
                    throw new PluginException("plugin " + plugin + ": " + file + " (expected: " + rule + ")");
                }
            }
        } catch (IOException | UncheckedIOException e) {
            throw new PluginException("plugin " + plugin + ": cannot be read: " + e.getMessage());
        }
    }

    private static Stream<Path> foldersOfBuild(Path plugin) {
        Path target = Objects.requireNonNull(plugin.getParent(), "folder of the build's output");
        return Stream.of(Objects.requireNonNull(target.getParent(), "folder of the module"), target);
    }

    private static List<Path> candidates(Path root) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root)) {
            for (Path entry : entries) {
                if (isArchive(entry) || isUnpacked(entry)) {
                    found.add(entry);
                } else if (isUnpacked(entry.resolve(BUILD_OUTPUT))) {
                    found.add(entry.resolve(BUILD_OUTPUT));
                }
            }
        } catch (IOException e) {
            LOG.warn("plugins.path: {} (expected: a folder that can be read)", root, e);
        }
        Collections.sort(found);
        return found;
    }

    private static boolean isArchive(Path path) {
        String name = path.getFileName().toString();
        return !name.startsWith(".") && (name.endsWith(".jar") || name.endsWith(".zip")) && Files.isRegularFile(path);
    }

    private static boolean isUnpacked(Path path) {
        return DescriptorReader.describes(path)
                && (Files.isRegularFile(path.resolve(PACKED_CLASSES))
                        || Files.isDirectory(path.resolve("classes"))
                        || Files.isDirectory(path.resolve("lib")));
    }

    /**
     * Reader of a plugin's descriptor: the manifest of a jar; {@code plugin.properties}, else {@code
     * classes/META-INF/MANIFEST.MF}, of a folder or zip. Stateless.
     */
    static final class DescriptorReader extends PropertiesPluginDescriptorFinder {

        private static final String PROPERTIES = "plugin.properties";
        private static final String JAR_MANIFEST = "META-INF/MANIFEST.MF";
        private static final String FOLDER_MANIFEST = "classes/META-INF/MANIFEST.MF";

        private static final Map<String, String> MANIFEST_NAMES = Map.of(
                "Plugin-Id", PLUGIN_ID,
                "Plugin-Version", PLUGIN_VERSION,
                "Plugin-Requires", PLUGIN_REQUIRES,
                "Plugin-Class", PLUGIN_CLASS,
                "Plugin-Dependencies", PLUGIN_DEPENDENCIES,
                "Plugin-Description", PLUGIN_DESCRIPTION,
                "Plugin-Provider", PLUGIN_PROVIDER,
                "Plugin-License", PLUGIN_LICENSE);

        static boolean describes(Path folder) {
            return Files.isRegularFile(folder.resolve(PROPERTIES))
                    || Files.isRegularFile(folder.resolve(FOLDER_MANIFEST));
        }

        /**
         * Returns the descriptor's entries, or null if there is no descriptor.
         *
         * @throws IOException if the descriptor, or its archive, cannot be read
         */
        static @Nullable Properties read(Path path) throws IOException {
            if (Files.isDirectory(path)) {
                Path properties = path.resolve(PROPERTIES);
                boolean own = Files.isRegularFile(properties);
                try (InputStream in = Files.newInputStream(own ? properties : path.resolve(FOLDER_MANIFEST))) {
                    return own ? properties(in) : manifest(in);
                }
            }
            try (ZipFile archive = new ZipFile(path.toFile())) {
                boolean jar = path.getFileName().toString().endsWith(".jar");
                ZipEntry properties = jar ? null : archive.getEntry(PROPERTIES);
                if (properties != null) {
                    return properties(archive.getInputStream(properties));
                }
                ZipEntry manifest = archive.getEntry(jar ? JAR_MANIFEST : FOLDER_MANIFEST);
                return manifest == null ? null : manifest(archive.getInputStream(manifest));
            }
        }

        @Override
        protected Properties readProperties(Path pluginPath) {
            try {
                Properties properties = read(pluginPath);
                if (properties == null) {
                    throw new PluginRuntimeException("no descriptor in {}", pluginPath);
                }
                return properties;
            } catch (IOException e) {
                throw new PluginRuntimeException(e);
            }
        }

        private static Properties properties(InputStream in) throws IOException {
            Properties properties = new Properties();
            properties.load(in);
            return properties;
        }

        private static @Nullable Properties manifest(InputStream in) throws IOException {
            Attributes attributes = new Manifest(in).getMainAttributes();
            Properties properties = new Properties();
            MANIFEST_NAMES.forEach((theirs, ours) -> {
                String value = attributes.getValue(theirs);
                if (value != null) {
                    properties.setProperty(ours, value);
                }
            });
            return properties.containsKey(PLUGIN_ID) ? properties : null;
        }
    }
}
