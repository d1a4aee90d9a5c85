package io.weir.api;

import io.weir.api.setting.Setting;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/** The host's side of one plugin, from provisioning until close. Thread-safe. */
public interface PluginContext {

    /** The plugin's id, from its descriptor. */
    String pluginId();

    /**
     * Returns the block {@code plugins.<id>} of the configuration as a record, each component of which declares its setting by
     * {@link Setting}. A plugin without settings does not call it, and its block must be empty.
     *
     * @throws IllegalArgumentException if a name is unknown or a value does not fit. Let it through: the host reports each problem with
     *     its file and line.
     */
    <R extends Record> R settings(Class<R> type);

    /** A folder of the plugin's own for what it keeps, created when first asked for. */
    Path dataFolder();

    /** Meters whose names the host prefixes with the plugin's id, and which it takes away on close. */
    PluginMeters meters();

    /** A scheduler for short tasks; the host ends its tasks on close. */
    ScheduledExecutorService scheduler();

    /** The executor that calls are handled on; its threads may block. */
    Executor executor();

    /**
     * The names that {@link Caller#name} can have: those of the configured API keys, and {@code anonymous} if calls without a key
     * are served. The rights of a key may exclude the plugin's methods.
     */
    Set<String> callerNames();

    /** The names of the configured networks of a kind; empty for an unknown kind. */
    Set<String> networkNames(String kind);

    /** Calls networks without a caller: no key's rights or rates apply. Usable from {@link WeirPlugin#start} on. */
    ChainClient chain();
}
