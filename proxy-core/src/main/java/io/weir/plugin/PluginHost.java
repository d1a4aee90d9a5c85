package io.weir.plugin;

import io.weir.config.WeirConfig;
import io.weir.config.WeirConfig.PluginsConfig;
import io.weir.hocon.Sources;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.InternalCalls;
import io.weir.plugin.call.FailureLog;
import io.weir.plugin.call.NetworkAccess;
import io.weir.plugin.call.PluginExecutor;
import io.weir.plugin.call.PluginRuntime;
import io.weir.plugin.call.Trees;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The plugins of one configuration, from loading to closing. Confined to one thread at a time. Other threads use its
 * {@link PluginCatalogue}.
 *
 * <p>The operator relies on every plugin that is present. A plugin that cannot be loaded, provisioned,
 * validated or started therefore prevents the start of the proxy, instead of silently missing. All problems are
 * reported at once. Later failures affect only the plugin's own calls.
 */
public final class PluginHost implements AutoCloseable {

    /** Calls of one plugin that may be under way beyond the threads: a burst that it can still answer in time. */
    static final int MAX_WAITING = 1_000;

    /** JSON values in the parameters of one call: more than any contract's description has, and at most 25 MiB as a tree. */
    private static final int MAX_VALUES = 262_144;

    /**
     * The parameters of loading plugins. Immutable.
     *
     * @param sources the positions of the settings
     * @param callMillis time limit for a call of a plugin itself
     * @param bounds on the plugins' threads and times
     * @param names in the configuration, to which the plugins' settings may refer
     */
    public record Setup(
            PluginsConfig config,
            Sources sources,
            Meters meters,
            long callMillis,
            Bounds bounds,
            ConfiguredNames names) {

        /** Creates a setup without names, with the bounds of the proxy. */
        public Setup(PluginsConfig config, Sources sources, Meters meters, long callMillis) {
            this(config, sources, meters, callMillis, Bounds.DEFAULT, ConfiguredNames.NONE);
        }

        /** Returns the same with the names of a configuration. */
        public Setup withNamesOf(WeirConfig whole) {
            return new Setup(config, sources, meters, callMillis, bounds, ConfiguredNames.of(whole));
        }
    }

    /**
     * Bounds on the threads and times of plugins. Immutable.
     *
     * @param stepLimit time limit for a step of a plugin's life cycle
     * @param threads on which plugins handle calls, besides one of each plugin's own
     * @param maxCallMillis longest time to which a plugin may extend the deadline of a call
     */
    public record Bounds(Duration stepLimit, int threads, long maxCallMillis) {

        /**
         * The bounds of the proxy. Handlers wait for nodes and services without a thread, or briefly on one of a few. A person may take
         * up to an hour to decide on a request.
         */
        public static final Bounds DEFAULT = new Bounds(Duration.ofSeconds(30), 16, 3_600_000);
    }

    private final LoadedPlugins loader;
    private final NetworkAccess networks = new NetworkAccess();
    private final List<HostedPlugin> plugins = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    /** Pages have threads of their own: a person can still decide while calls fill all others. */
    private static final int PAGE_THREADS = 2;

    private static final int PAGE_QUEUE = 32;

    private final PluginExecutor threads;
    private final PluginExecutor pageThreads;
    private final PluginCatalogue catalogue;

    private PluginHost(Setup setup, Predicate<String> wanted) throws IOException {
        PluginsConfig config = setup.config();
        loader = new LoadedPlugins(config.path());
        List<LoadedPlugins.Loaded> loaded = loader.load(wanted, problems::add);
        threads =
                new PluginExecutor("weir-plugin-", loaded.size(), setup.bounds().threads(), MAX_WAITING);
        pageThreads = new PluginExecutor("weir-page-", loaded.size(), PAGE_THREADS * loaded.size(), PAGE_QUEUE);
        for (LoadedPlugins.Loaded one : loaded) {
            HostedPlugin plugin = new HostedPlugin(
                    one,
                    runtime(one, setup, threads, Meter.PLUGIN_CALLS),
                    runtime(one, setup, pageThreads, Meter.PLUGIN_PAGES),
                    setup.bounds().stepLimit());
            plugins.add(plugin);
            try {
                plugin.prepare(setup, networks);
            } catch (PluginException e) {
                problems.addAll(e.problems());
            }
        }
        catalogue = new PluginCatalogue(plugins, networks, setup.bounds().maxCallMillis(), problems::add);
    }

    private static PluginRuntime runtime(
            LoadedPlugins.Loaded plugin, Setup setup, PluginExecutor executor, Meter meter) {
        return new PluginRuntime(
                executor.bulkhead(plugin.id(), plugin.classes()),
                new Trees(MAX_VALUES),
                new FailureLog(plugin.id()),
                new EnumCounters<>(setup.meters(), meter, PluginRuntime.Outcome.class, plugin.id()));
    }

    /**
     * Loads, provisions and validates every plugin that is found. Starts none.
     *
     * @throws PluginException with all problems; nothing is left open then
     */
    public static PluginHost open(Setup setup) throws PluginException {
        PluginsConfig config = setup.config();
        PluginHost host = opened(setup, id -> true);
        config.settings().keySet().stream().sorted().forEach(id -> {
            boolean known = host.plugins.stream().anyMatch(plugin -> plugin.id().equals(id));
            if (!known && host.problems.isEmpty()) {
                host.problems.add(setup.sources()
                        .atName(List.of("plugins", id), "no such plugin", "the id of one in plugins.path")
                        .toString());
            }
        });
        return host.orProblems();
    }

    /**
     * Loads, provisions and validates one plugin, for its commands.
     *
     * @throws PluginException if it is absent, or with its problems
     */
    public static PluginHost openOne(Setup setup, String id) throws PluginException {
        PluginHost host = opened(setup, id::equals);
        if (host.plugins.isEmpty() && host.problems.isEmpty()) {
            host.problems.add("plugin " + id + ": not found in "
                    + setup.config().path() + " (expected: the id of a plugin there, see plugins list)");
        }
        return host.orProblems();
    }

    private static PluginHost opened(Setup setup, Predicate<String> wanted) throws PluginException {
        try {
            return new PluginHost(setup, wanted);
        } catch (IOException e) {
            throw new PluginException("plugins: cannot create a folder for copies of their files: " + e.getMessage());
        }
    }

    private PluginHost orProblems() throws PluginException {
        if (!problems.isEmpty()) {
            close();
            throw new PluginException(problems);
        }
        return this;
    }

    public PluginCatalogue catalogue() {
        return catalogue;
    }

    public List<PluginSummary> summaries() {
        return plugins.stream().map(HostedPlugin::summary).toList();
    }

    /** Returns what the plugins say that will not work as configured, one line each. */
    public List<String> warnings() {
        return plugins.stream().flatMap(plugin -> plugin.warnings().stream()).toList();
    }

    /** Returns the plugins' settings in force as lines of a file; if wanted, only those that differ from the defaults. */
    public List<String> settingLines(boolean changed) {
        return plugins.stream()
                .flatMap(plugin -> plugin.settingLines(changed).stream())
                .toList();
    }

    /** Returns the plugins' class loaders, for tests of unloading. */
    List<ClassLoader> loaders() {
        return plugins.stream().map(HostedPlugin::classes).toList();
    }

    /**
     * Gives plugins access to the networks, and starts them.
     *
     * @throws PluginException with all problems; everything is closed then
     */
    public void start(InternalCalls calls) throws PluginException {
        networks.open(calls);
        for (HostedPlugin plugin : plugins) {
            try {
                plugin.start();
            } catch (PluginException e) {
                problems.addAll(e.problems());
            }
        }
        orProblems();
    }

    /** Notifies the plugins of the shutdown, so that they end calls that they keep waiting. */
    public void drain() {
        plugins.forEach(HostedPlugin::drain);
    }

    /** Closes the plugins in reverse order, ends their threads and unloads their classes. */
    @Override
    public void close() {
        networks.close();
        for (int i = plugins.size() - 1; i >= 0; i--) {
            plugins.get(i).close();
        }
        plugins.clear();
        threads.close();
        pageThreads.close();
        loader.close();
    }
}
