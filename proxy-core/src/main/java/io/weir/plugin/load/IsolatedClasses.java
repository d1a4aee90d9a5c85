package io.weir.plugin.load;

import java.nio.file.Path;
import java.util.List;
import org.pf4j.PluginClassLoader;
import org.pf4j.PluginDescriptor;
import org.pf4j.PluginManager;

/**
 * The classes of one plugin: its own first, except those that are always the host's. Thread-safe.
 *
 * <p>PF4J's strategy is plugin, dependencies, parent. The parent is {@link SharedClasses}, so the last step finds only
 * the JDK and the shared packages.
 */
final class IsolatedClasses extends PluginClassLoader {

    /**
     * Creates a plugin's class loader.
     *
     * @param jars searched in this order
     */
    IsolatedClasses(PluginManager plugins, PluginDescriptor descriptor, ClassLoader shared, List<Path> jars) {
        super(plugins, descriptor, shared);
        jars.forEach(jar -> addFile(jar.toFile()));
    }

    @Override
    protected boolean shouldDelegateToParent(String className) {
        return SharedClasses.holds(className);
    }
}
