package io.weir.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import org.pf4j.PluginRuntimeException;
import org.pf4j.PropertiesPluginDescriptorFinder;

/**
 * Reader of a plugin's descriptor: the manifest of a jar; {@code plugin.properties}, else {@code
 * classes/META-INF/MANIFEST.MF}, of a folder or zip. Stateless.
 */
final class DescriptorReader extends PropertiesPluginDescriptorFinder {

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
        return Files.isRegularFile(folder.resolve(PROPERTIES)) || Files.isRegularFile(folder.resolve(FOLDER_MANIFEST));
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
