package io.weir.plugin;

import io.weir.api.ChainClient;
import io.weir.api.PluginContext;
import io.weir.api.PluginMeters;
import io.weir.metrics.MeterGroup;
import io.weir.metrics.Meters;
import io.weir.plugin.call.NetworkAccess;
import io.weir.plugin.call.PluginChainClient;
import io.weir.plugin.call.PluginRuntime;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The resources that the host gives to one plugin, released on close. Thread-safe. */
final class HostContext implements PluginContext, AutoCloseable {

    private final PluginSettings settings;
    private final PluginRuntime runtime;
    private final ConfiguredNames names;
    private final DataFolder dataFolder;
    private final MeterGroup group;
    private final PluginMeters meters;
    private final PluginTimer timer;
    private final ChainClient chain;

    /**
     * @param data the folder that contains the plugins' data folders
     * @param callMillis time limit for a call of the plugin itself
     */
    HostContext(
            PluginRuntime runtime,
            PluginSettings settings,
            ConfiguredNames names,
            Path data,
            Meters meters,
            NetworkAccess networks,
            long callMillis) {
        this.settings = settings;
        this.runtime = runtime;
        this.names = names;
        this.dataFolder = new DataFolder(data, runtime.pluginId());
        this.group = meters.group("plugin_" + runtime.pluginId().replace('-', '_'));
        this.meters = new HostMeters(group, runtime.log());
        this.timer = new PluginTimer(runtime.pluginId(), runtime.log());
        long callNanos = TimeUnit.MILLISECONDS.toNanos(callMillis);
        this.chain = new PluginChainClient(runtime, networks, null, () -> System.nanoTime() + callNanos);
    }

    @Override
    public String pluginId() {
        return runtime.pluginId();
    }

    @Override
    public <R extends Record> R settings(Class<R> type) {
        return settings.read(type);
    }

    /** Returns the settings in force as lines of a file; if wanted, only those that differ from the defaults. */
    List<String> settingLines(boolean changed) {
        return settings.lines(changed);
    }

    @Override
    public Path dataFolder() {
        return dataFolder.path();
    }

    @Override
    public PluginMeters meters() {
        return meters;
    }

    @Override
    public ScheduledExecutorService scheduler() {
        return timer.scheduler();
    }

    @Override
    public Executor executor() {
        return runtime.bulkhead();
    }

    @Override
    public Set<String> callerNames() {
        return names.callers();
    }

    @Override
    public Set<String> networkNames(String kind) {
        return names.networksByKind().getOrDefault(kind, Set.of());
    }

    @Override
    public ChainClient chain() {
        return chain;
    }

    @Override
    public void close() {
        timer.close();
        group.close();
        runtime.close();
    }
}
