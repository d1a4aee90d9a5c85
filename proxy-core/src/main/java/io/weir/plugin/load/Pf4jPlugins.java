package io.weir.plugin.load;

import io.weir.api.WeirPlugin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.pf4j.AbstractPluginManager;
import org.pf4j.DefaultExtensionFactory;
import org.pf4j.DefaultPluginFactory;
import org.pf4j.DefaultVersionManager;
import org.pf4j.ExtensionFactory;
import org.pf4j.ExtensionFinder;
import org.pf4j.IndexedExtensionFinder;
import org.pf4j.PluginClassLoader;
import org.pf4j.PluginDescriptor;
import org.pf4j.PluginDescriptorFinder;
import org.pf4j.PluginFactory;
import org.pf4j.PluginLoader;
import org.pf4j.PluginManager;
import org.pf4j.PluginRepository;
import org.pf4j.PluginRuntimeException;
import org.pf4j.PluginStatusProvider;
import org.pf4j.VersionManager;

/**
 * PF4J with the proxy's folders, descriptors and class loaders. Loads one path at a time, because {@link #loadPlugins}
 * would only log failures. Not thread-safe, like PF4J.
 */
final class Pf4jPlugins extends AbstractPluginManager {

    private final StagingArea staging;
    private final SharedClasses shared;

    Pf4jPlugins(List<Path> roots, StagingArea staging) {
        super(roots);
        this.staging = staging;
        this.shared = new SharedClasses(WeirPlugin.class.getClassLoader());
        setSystemVersion(WeirPlugin.API_VERSION);
    }

    /** Returns the paths of possible plugins. */
    List<Path> candidates() {
        return pluginRepository.getPluginPaths();
    }

    /**
     * Returns whether the plugin API's version satisfies a plugin's requirement. A plain version means that version or
     * a later one.
     */
    boolean satisfies(String requires) {
        String constraint = requires.trim();
        boolean plain = constraint.matches("\\d+\\.\\d+\\.\\d+");
        return versionManager.checkVersionConstraint(systemVersion, plain ? ">=" + constraint : constraint);
    }

    /** Without configured folders there are no plugins. PF4J would search a default folder. */
    @Override
    protected List<Path> createPluginsRoot() {
        return List.of();
    }

    @Override
    protected PluginRepository createPluginRepository() {
        return new PluginFolders(getPluginsRoots());
    }

    @Override
    protected PluginDescriptorFinder createPluginDescriptorFinder() {
        return new DescriptorReader();
    }

    @Override
    protected PluginLoader createPluginLoader() {
        return new StagedLoader();
    }

    @Override
    protected ExtensionFinder createExtensionFinder() {
        IndexedExtensionFinder finder = new IndexedExtensionFinder(this);
        addPluginStateListener(finder);
        return finder;
    }

    @Override
    protected ExtensionFactory createExtensionFactory() {
        return new DefaultExtensionFactory();
    }

    @Override
    protected PluginFactory createPluginFactory() {
        return new DefaultPluginFactory();
    }

    @Override
    protected VersionManager createVersionManager() {
        return new DefaultVersionManager();
    }

    @Override
    protected PluginStatusProvider createPluginStatusProvider() {
        return new NothingDisabled();
    }

    /**
     * A loader of classes from staged copies. PF4J requests it before the fields of the outer class are set, and uses
     * it later. Stateless.
     */
    private final class StagedLoader implements PluginLoader {
        @Override
        public boolean isApplicable(Path pluginPath) {
            return true;
        }

        @Override
        public ClassLoader loadPlugin(Path pluginPath, PluginDescriptor descriptor) {
            try {
                return new IsolatedClasses(Pf4jPlugins.this, descriptor, shared, staging.stage(pluginPath));
            } catch (IOException e) {
                throw new PluginRuntimeException(e, e.getMessage());
            }
        }
    }

    /**
     * Reports no plugin as disabled. PF4J would keep a list of disabled ones in a file beside the plugins. Stateless.
     */
    private static final class NothingDisabled implements PluginStatusProvider {
        @Override
        public boolean isPluginDisabled(String pluginId) {
            return false;
        }

        @Override
        public void disablePlugin(String pluginId) {
            throw new UnsupportedOperationException("no plugin can be disabled");
        }

        @Override
        public void enablePlugin(String pluginId) {
            throw new UnsupportedOperationException("no plugin can be disabled");
        }
    }

    /**
     * The classes of one plugin: its own first, except those that are always the host's. Thread-safe.
     *
     * <p>PF4J's strategy is plugin, dependencies, parent. The parent is {@link SharedClasses}, so the last step finds only
     * the JDK and the shared packages.
     */
    private static final class IsolatedClasses extends PluginClassLoader {

        /** @param jars searched in this order */
        IsolatedClasses(PluginManager plugins, PluginDescriptor descriptor, ClassLoader shared, List<Path> jars)
                throws IOException {
            super(plugins, descriptor, shared);
            for (Path jar : jars) {
                // Not addFile, which follows links: a library's Class-Path would then begin at the target.
                addURL(jar.toUri().toURL());
            }
        }

        @Override
        protected boolean shouldDelegateToParent(String className) {
            return SharedClasses.holds(className);
        }
    }
}
