package io.weir.plugin;

import io.weir.config.ParamLimit;
import io.weir.config.WeirConfig.PluginsConfig;
import io.weir.config.hocon.Sources;
import io.weir.metrics.Meters;
import io.weir.pipeline.InternalCalls;
import io.weir.plugin.bulkhead.FailureLog;
import io.weir.plugin.bulkhead.PluginExecutor;
import io.weir.plugin.call.HandlerMeters;
import io.weir.plugin.call.NetworkAccess;
import io.weir.plugin.call.PluginRuntime;
import io.weir.plugin.call.Trees;
import io.weir.plugin.load.LoadedPlugin;
import io.weir.plugin.load.LoadedPlugins;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The plugins of one configuration, from loading to closing. Confined to one thread at a time; the {@link PluginCatalogue} that
 * it gives out is what other threads use.
 *
 * <p>A plugin that is there and not disabled is one that the operator counts on: what cannot be loaded, provisioned, validated or
 * started refuses the start of the proxy, all problems at once, rather than leave methods away in silence. Once it runs, its
 * failures are its calls' own.
 */
public final class PluginHost implements AutoCloseable {

    /** How long a step of a plugin's life may take. */
    private static final Duration STEP_LIMIT = Duration.ofSeconds(30);

    /**
     * What plugins are loaded with.
     *
     * @param sources where the settings were written
     * @param callMillis how long a call that a plugin makes by itself may take
     * @param stepLimit how long a step of a plugin's life may take
     * @param maxValues how many JSON values the parameters of one call may hold
     */
    public record Setup(
            PluginsConfig config, Sources sources, Meters meters, long callMillis, Duration stepLimit, int maxValues) {

        /** With the usual limit for steps. */
        public Setup(PluginsConfig config, Sources sources, Meters meters, long callMillis) {
            this(config, sources, meters, callMillis, STEP_LIMIT);
        }

        /** With the default limit on parameters. */
        public Setup(PluginsConfig config, Sources sources, Meters meters, long callMillis, Duration stepLimit) {
            this(config, sources, meters, callMillis, stepLimit, ParamLimit.PLUGIN_VALUES.preset());
        }

        /** Returns the same with another limit on parameters. */
        public Setup withMaxValues(int count) {
            return new Setup(config, sources, meters, callMillis, stepLimit, count);
        }
    }

    private final LoadedPlugins shelf;
    private final NetworkAccess gates = new NetworkAccess();
    private final List<HostedPlugin> plugins = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final PluginExecutor threads;
    private final PluginCatalogue catalogue;

    private PluginHost(Setup setup, Predicate<String> wanted) throws IOException {
        PluginsConfig config = setup.config();
        shelf = new LoadedPlugins(config.path());
        List<LoadedPlugin> loaded = shelf.load(wanted, problems::add);
        threads = new PluginExecutor(loaded.size(), config.threads(), config.queue());
        for (LoadedPlugin one : loaded) {
            HostedPlugin plugin = new HostedPlugin(one, quarters(one, setup), setup.stepLimit());
            plugins.add(plugin);
            try {
                plugin.prepare(setup, gates);
            } catch (PluginException e) {
                problems.addAll(e.problems());
            }
        }
        catalogue = new PluginCatalogue(plugins, gates, config.maxCallTimeMillis(), problems::add);
    }

    private PluginRuntime quarters(LoadedPlugin plugin, Setup setup) {
        return new PluginRuntime(
                threads.lane(plugin.id(), plugin.classes()),
                new Trees(setup.maxValues()),
                new FailureLog(plugin.id(), System::nanoTime),
                new HandlerMeters(setup.meters(), plugin.id()));
    }

    /**
     * Loads, provisions and validates every plugin that is found and not disabled. Starts none.
     *
     * @throws PluginException with all problems; nothing is left open then
     */
    public static PluginHost open(Setup setup) throws PluginException {
        PluginsConfig config = setup.config();
        PluginHost host = opened(setup, id -> !config.disabled().contains(id));
        config.settings().keySet().stream().sorted().forEach(id -> {
            boolean known = config.disabled().contains(id)
                    || host.plugins.stream().anyMatch(plugin -> plugin.id().equals(id));
            if (!known && host.problems.isEmpty()) {
                host.problems.add(setup.sources()
                        .atName(List.of("plugins", id), "no such plugin", "the id of one in plugins.path")
                        .toString());
            }
        });
        return host.orProblems();
    }

    /**
     * Loads, provisions and validates one plugin, disabled or not, for its commands.
     *
     * @throws PluginException when it is not there, or with its problems
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
            throw new PluginException("plugins: no place for copies of their files: " + e.getMessage());
        }
    }

    private PluginHost orProblems() throws PluginException {
        if (!problems.isEmpty()) {
            close();
            throw new PluginException(problems);
        }
        return this;
    }

    /** What the plugins offer. */
    public PluginCatalogue catalogue() {
        return catalogue;
    }

    /** The plugins in a few words each, by id. */
    public List<PluginSummary> summaries() {
        return plugins.stream().map(HostedPlugin::summary).toList();
    }

    /** The plugins' class loaders, for tests of what is left of them. */
    List<ClassLoader> loaders() {
        return plugins.stream().map(HostedPlugin::classes).toList();
    }

    /**
     * Lets plugins call the networks, and starts them.
     *
     * @throws PluginException with all problems; everything is closed then
     */
    public void start(InternalCalls gate) throws PluginException {
        gates.open(gate);
        for (HostedPlugin plugin : plugins) {
            try {
                plugin.start();
            } catch (PluginException e) {
                problems.addAll(e.problems());
            }
        }
        orProblems();
    }

    /** Tells the plugins that the proxy stops, so that those that keep calls waiting end them. */
    public void drain() {
        plugins.forEach(HostedPlugin::drain);
    }

    /** Closes the plugins, the last first, ends their threads and unloads their classes. */
    @Override
    public void close() {
        gates.shut();
        for (int i = plugins.size() - 1; i >= 0; i--) {
            plugins.get(i).close();
        }
        plugins.clear();
        threads.close();
        shelf.close();
    }
}
