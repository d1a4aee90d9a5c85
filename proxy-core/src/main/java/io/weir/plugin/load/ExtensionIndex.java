package io.weir.plugin.load;

import io.weir.api.WeirPlugin;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import org.pf4j.processor.ExtensionStorage;
import org.pf4j.processor.IndexedExtensionStorage;

/**
 * Reader of the index in which PF4J's annotation processor names a plugin's extension. It also loads that class. PF4J
 * itself only logs a missing class, but a proxy must not start without its configured plugins. Stateless.
 */
final class ExtensionIndex {

    private static final String RESOURCE = IndexedExtensionStorage.EXTENSIONS_RESOURCE;

    private ExtensionIndex() {}

    /** Returns the plugin's entry class, loaded but not initialized. */
    static Class<? extends WeirPlugin> entryClass(String id, URLClassLoader classes) throws UnloadablePlugin {
        Set<String> names = names(id, classes);
        if (names.isEmpty()) {
            throw new UnloadablePlugin(
                    "plugin " + id + ": " + RESOURCE + ": names no extension (expected: the one class"
                            + " with @Extension, written by PF4J's annotation processor when the plugin is compiled)");
        }
        if (names.size() > 1) {
            throw new UnloadablePlugin("plugin " + id + ": " + RESOURCE + ": " + String.join(", ", names)
                    + " (expected: one extension, the plugin's entry class)");
        }
        String name = names.iterator().next();
        try {
            Class<?> found = classes.loadClass(name);
            if (WeirPlugin.class.isAssignableFrom(found)) {
                return found.asSubclass(WeirPlugin.class);
            }
        } catch (ClassNotFoundException | LinkageError e) {
            throw new UnloadablePlugin("plugin " + id + ": cannot load " + name + ": " + LinkProblem.text(e));
        }
        throw new UnloadablePlugin("plugin " + id + ": extension: " + name
                + " (expected: a class that implements io.weir.api.WeirPlugin)");
    }

    private static Set<String> names(String id, URLClassLoader classes) throws UnloadablePlugin {
        Set<String> names = new LinkedHashSet<>();
        try (InputStream in = classes.getResourceAsStream(RESOURCE)) {
            if (in != null) {
                ExtensionStorage.read(new InputStreamReader(in, StandardCharsets.UTF_8), names);
            }
        } catch (IOException e) {
            throw new UnloadablePlugin("plugin " + id + ": " + RESOURCE + ": cannot be read: " + e.getMessage());
        }
        return names;
    }
}
