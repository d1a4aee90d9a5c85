package io.weir.plugin;

import com.typesafe.config.Config;
import io.weir.api.ChainClient;
import io.weir.api.PluginContext;
import io.weir.api.PluginMeters;
import io.weir.metrics.MeterGroup;
import io.weir.metrics.Meters;
import io.weir.plugin.call.NetworkAccess;
import io.weir.plugin.call.PluginChainClient;
import io.weir.plugin.call.PluginRuntime;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** What one plugin gets from the host, and what is taken from it on close. Thread-safe. */
final class HostContext implements PluginContext, AutoCloseable {

    private final Config settings;
    private final PluginRuntime quarters;
    private final DataFolder dataFolder;
    private final MeterGroup group;
    private final PluginMeters meters;
    private final PluginTimer timer;
    private final ChainClient chain;

    /**
     * Makes a context.
     *
     * @param data the folder below which plugins have theirs
     * @param callMillis how long a call that the plugin makes by itself may take
     */
    HostContext(
            PluginRuntime quarters, Config settings, Path data, Meters meters, NetworkAccess gates, long callMillis) {
        this.settings = settings;
        this.quarters = quarters;
        this.dataFolder = new DataFolder(data, quarters.pluginId());
        this.group = meters.group("plugin_" + quarters.pluginId().replace('-', '_'));
        this.meters = new HostMeters(group, quarters.log());
        this.timer = new PluginTimer(quarters.pluginId(), quarters.log());
        long callNanos = TimeUnit.MILLISECONDS.toNanos(callMillis);
        this.chain = new PluginChainClient(quarters, gates, null, () -> System.nanoTime() + callNanos);
    }

    @Override
    public String pluginId() {
        return quarters.pluginId();
    }

    @Override
    public Config settings() {
        return settings;
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
        return quarters.lane();
    }

    @Override
    public ChainClient chain() {
        return chain;
    }

    @Override
    public void close() {
        timer.close();
        group.close();
        quarters.close();
    }
}
