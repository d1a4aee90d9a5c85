package io.weir.plugin.load;

import io.weir.api.WeirPlugin;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
        IsolatedClasses(PluginManager plugins, PluginDescriptor descriptor, ClassLoader shared, List<Path> jars) {
            super(plugins, descriptor, shared);
            jars.forEach(jar -> addFile(jar.toFile()));
        }

        @Override
        protected boolean shouldDelegateToParent(String className) {
            return SharedClasses.holds(className);
        }
    }

    /**
     * The classes that a plugin sees beside its own: the JDK, and the host packages that both must share. Code of a plugin
     * cannot link to any other host class. Thread-safe.
     */
    private static final class SharedClasses extends ClassLoader {

        private static final List<String> PACKAGES = List.of(
                "io.weir.api.",
                "org.pf4j.",
                "tools.jackson.",
                "com.fasterxml.jackson.annotation.",
                "org.slf4j.",
                "org.jspecify.",
                "com.typesafe.config.");

        private final ClassLoader host;

        SharedClasses(ClassLoader host) {
            super("weir-shared", ClassLoader.getPlatformClassLoader());
            this.host = host;
        }

        /** Returns whether a class always comes from the host. */
        static boolean holds(String className) {
            for (String name : PACKAGES) {
                if (className.startsWith(name)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return holds(name) ? host.loadClass(name) : super.loadClass(name, resolve);
        }

        @Override
        protected @Nullable URL findResource(String name) {
            return holds(name.replace('/', '.')) ? host.getResource(name) : null;
        }

        @Override
        protected Enumeration<URL> findResources(String name) throws IOException {
            return holds(name.replace('/', '.')) ? host.getResources(name) : Collections.emptyEnumeration();
        }
    }
}
