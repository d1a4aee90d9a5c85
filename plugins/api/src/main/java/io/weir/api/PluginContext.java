package io.weir.api;

import com.typesafe.config.Config;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/** The host's side of one plugin, from provisioning until close. Thread-safe. */
public interface PluginContext {

    /** The plugin's id, from its descriptor. */
    String pluginId();

    /**
     * The block {@code plugins.<id>} of the configuration, over the plugin's own {@code reference.conf}, resolved. A
     * setting that the {@code reference.conf} does not name is refused before the plugin sees it.
     */
    Config settings();

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
