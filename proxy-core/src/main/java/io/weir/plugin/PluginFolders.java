package io.weir.plugin;

import io.weir.config.WriteAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.pf4j.PluginRepository;
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
}
