package io.weir.plugin;

import io.weir.api.WeirPlugin;
import io.weir.plugin.PluginFolders.DescriptorReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.pf4j.AbstractPluginManager;
import org.pf4j.DefaultExtensionFactory;
import org.pf4j.DefaultPluginFactory;
import org.pf4j.DefaultVersionManager;
import org.pf4j.ExtensionFactory;
import org.pf4j.ExtensionFinder;
import org.pf4j.IndexedExtensionFinder;
import org.pf4j.Plugin;
import org.pf4j.PluginClassLoader;
import org.pf4j.PluginDescriptor;
import org.pf4j.PluginDescriptorFinder;
import org.pf4j.PluginFactory;
import org.pf4j.PluginLoader;
import org.pf4j.PluginManager;
import org.pf4j.PluginRepository;
import org.pf4j.PluginRuntimeException;
import org.pf4j.PluginState;
import org.pf4j.PluginStatusProvider;
import org.pf4j.PluginWrapper;
import org.pf4j.PropertiesPluginDescriptorFinder;
import org.pf4j.VersionManager;
import org.pf4j.processor.ExtensionStorage;
import org.pf4j.processor.IndexedExtensionStorage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The plugins that were found and loaded, until closed. Confined to the thread that loads plugins. */
final class LoadedPlugins implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LoadedPlugins.class);
    /** Ids are used in names of folders, settings and meters. */
    private static final Pattern ID = Pattern.compile("[a-z][a-z0-9-]{0,62}");

    private static final String INDEX = IndexedExtensionStorage.EXTENSIONS_RESOURCE;

    private final StagingArea staging;
    private final Pf4jPlugins pf4j;
    private final List<Loaded> loaded = new ArrayList<>();

    /**
     * A plugin with loaded classes and a known entry class, none of whose code has run. Immutable.
     *
     * @param source its jar, zip or folder
     * @param entryClass the class that its index names
     */
    record Loaded(
            String id, String version, Path source, ClassLoader classes, Class<? extends WeirPlugin> entryClass) {}

    /**
     * Prepares to load from folders.
     *
     * @throws IOException if the folder for copies cannot be created
     */
    LoadedPlugins(List<Path> roots) throws IOException {
        staging = new StagingArea();
        pf4j = new Pf4jPlugins(roots, staging);
    }

    /**
     * Loads the plugins that are found.
     *
     * @param wanted decides by id which plugins to load
     * @param problems gets one line for each plugin that cannot be loaded
     * @return the plugins in the order of their ids
     */
    List<Loaded> load(Predicate<String> wanted, Consumer<String> problems) {
        Map<String, Path> sources = new TreeMap<>();
        for (Path path : pf4j.candidates()) {
            try {
                String id = id(path);
                if (id == null || !wanted.test(id)) {
                    continue;
                }
                PluginFolders.checkWriters(path);
                Path other = sources.putIfAbsent(id, path);
                if (other != null) {
                    throw new PluginException(
                            "plugin " + id + ": found at " + other + " and at " + path + " (expected: one of them)");
                }
            } catch (PluginException e) {
                problems.accept(e.getMessage());
            }
        }
        sources.forEach((id, path) -> {
            try {
                loaded.add(load(id, path));
            } catch (PluginException e) {
                problems.accept(e.getMessage());
            }
        });
        return List.copyOf(loaded);
    }

    private static @Nullable String id(Path path) throws PluginException {
        Properties descriptor;
        try {
            descriptor = DescriptorReader.read(path);
        } catch (IOException | IllegalArgumentException e) {
            throw new PluginException("plugin " + path + ": cannot be read: " + e.getMessage());
        }
        if (descriptor == null) {
            LOG.warn("{} is not a plugin: it has no descriptor with an id", path);
            return null;
        }
        String id = descriptor.getProperty(PropertiesPluginDescriptorFinder.PLUGIN_ID, "");
        if (!ID.matcher(id).matches()) {
            throw new PluginException("plugin " + path + ": id: \"" + id
                    + "\" (expected: lower-case letters, digits and hyphens, a letter first, at most 63)");
        }
        String version = descriptor.getProperty(PropertiesPluginDescriptorFinder.PLUGIN_VERSION, "");
        if (version.isBlank()) {
            throw new PluginException("plugin " + path + ": version: none (expected: one)");
        }
        return id;
    }

    private Loaded load(String id, Path path) throws PluginException {
        checkDescriptor(id, new DescriptorReader().find(path));
        PluginWrapper wrapper = wrapper(id, path);
        try {
            URLClassLoader classes = (URLClassLoader) wrapper.getPluginClassLoader();
            Class<? extends WeirPlugin> entryClass = entryClass(id, classes);
            start(id, entryClass);
            return new Loaded(id, wrapper.getDescriptor().getVersion(), path, classes, entryClass);
        } catch (PluginException e) {
            pf4j.unloadPlugin(id);
            throw e;
        }
    }

    private PluginWrapper wrapper(String id, Path path) throws PluginException {
        try {
            pf4j.loadPlugin(path);
            return pf4j.getPlugin(id);
        } catch (RuntimeException e) {
            throw new PluginException("plugin " + id + ": " + path + ": " + PluginException.reason(e));
        }
    }

    private void checkDescriptor(String id, PluginDescriptor descriptor) throws PluginException {
        String requires = descriptor.getRequires();
        boolean satisfied;
        try {
            satisfied = pf4j.satisfies(requires);
        } catch (RuntimeException e) {
            throw new PluginException(
                    "plugin " + id + ": requires: \"" + requires + "\" (expected: a version range such as >=0.1.0)");
        }
        if (!satisfied) {
            throw new PluginException("plugin " + id + ": requires: " + requires
                    + " (expected: a range that holds this proxy's plugin API, " + WeirPlugin.API_VERSION + ")");
        }
        if (!descriptor.getPluginClass().equals(Plugin.class.getName())) {
            throw new PluginException("plugin " + id + ": plugin class: " + descriptor.getPluginClass()
                    + " (expected: none, the entry class is an extension)");
        }
        if (!descriptor.getDependencies().isEmpty()) {
            throw new PluginException("plugin " + id + ": dependencies: other plugins"
                    + " (expected: none, a plugin brings its libraries itself)");
        }
    }

    /** Starts the plugin for PF4J, which runs none of its code, and compares PF4J's result with the index. */
    private void start(String id, Class<? extends WeirPlugin> entryClass) throws PluginException {
        PluginState state = pf4j.startPlugin(id);
        if (!state.isStarted()) {
            throw new PluginException("plugin " + id + ": state: " + state + " (expected: STARTED)");
        }
        List<Class<? extends WeirPlugin>> found = pf4j.getExtensionClasses(WeirPlugin.class, id);
        if (!found.equals(List.of(entryClass))) {
            throw new PluginException("plugin " + id + ": extensions: " + found + " (expected: " + entryClass + ")");
        }
    }

    /**
     * Unloads the plugins one by one in reverse order, because PF4J's own method for all of them fails on its list.
     */
    @Override
    public void close() {
        for (int i = loaded.size() - 1; i >= 0; i--) {
            String id = loaded.get(i).id();
            try {
                pf4j.stopPlugin(id);
                pf4j.unloadPlugin(id);
            } catch (RuntimeException e) {
                LOG.warn("plugin {}: cannot be unloaded", id, e);
            }
        }
        loaded.clear();
        staging.close();
    }

    /**
     * Returns the entry class, which PF4J's annotation processor names in an index; loaded but not initialized. PF4J itself only logs a
     * missing class, but a proxy must not start without its configured plugins.
     */
    private static Class<? extends WeirPlugin> entryClass(String id, URLClassLoader classes) throws PluginException {
        Set<String> names = extensions(id, classes);
        if (names.isEmpty()) {
            throw new PluginException("plugin " + id + ": " + INDEX + ": names no extension (expected: the one class"
                    + " with @Extension, written by PF4J's annotation processor when the plugin is compiled)");
        }
        if (names.size() > 1) {
            throw new PluginException("plugin " + id + ": " + INDEX + ": " + String.join(", ", names)
                    + " (expected: one extension, the plugin's entry class)");
        }
        String name = names.iterator().next();
        try {
            Class<?> found = classes.loadClass(name);
            if (WeirPlugin.class.isAssignableFrom(found)) {
                return found.asSubclass(WeirPlugin.class);
            }
        } catch (ClassNotFoundException | LinkageError e) {
            throw new PluginException("plugin " + id + ": cannot load " + name + ": " + PluginException.reason(e));
        }
        throw new PluginException("plugin " + id + ": extension: " + name
                + " (expected: a class that implements io.weir.api.WeirPlugin)");
    }

    private static Set<String> extensions(String id, URLClassLoader classes) throws PluginException {
        Set<String> names = new LinkedHashSet<>();
        try (InputStream in = classes.getResourceAsStream(INDEX)) {
            if (in != null) {
                ExtensionStorage.read(new InputStreamReader(in, StandardCharsets.UTF_8), names);
            }
        } catch (IOException e) {
            throw new PluginException("plugin " + id + ": " + INDEX + ": cannot be read: " + e.getMessage());
        }
        return names;
    }

    /**
     * PF4J with the proxy's folders, descriptors and class loaders. Loads one path at a time, because {@link #loadPlugins}
     * would only log failures. Not thread-safe, like PF4J.
     */
    private static final class Pf4jPlugins extends AbstractPluginManager {

        private final StagingArea staging;
        private final SharedClasses shared;

        Pf4jPlugins(List<Path> roots, StagingArea staging) {
            super(roots);
            this.staging = staging;
            this.shared = new SharedClasses(WeirPlugin.class.getClassLoader());
            setSystemVersion(WeirPlugin.API_VERSION);
        }

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
}
