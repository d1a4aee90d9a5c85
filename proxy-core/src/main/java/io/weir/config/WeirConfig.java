package io.weir.config;

import com.typesafe.config.Config;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The whole configuration. Immutable.
 *
 * @param maxAddresses in a log filter
 * @param defaultNetwork the network of requests that name none
 * @param networks by name, in the order of the file
 * @param sharing null if other proxies share no limits
 */
public record WeirConfig(
        ServerConfig server,
        int maxAddresses,
        AdminConfig admin,
        String defaultNetwork,
        Map<String, NetworkConfig> networks,
        AccessConfig access,
        CacheConfig cache,
        PluginsConfig plugins,
        ReloadConfig reload,
        LogFormat log,
        @Nullable SharingConfig sharing,
        TracingConfig tracing) {

    /** Creates a configuration with the usual reload and log, whose limits are not shared, without traces. */
    public WeirConfig(
            ServerConfig server,
            int maxAddresses,
            AdminConfig admin,
            String defaultNetwork,
            Map<String, NetworkConfig> networks,
            AccessConfig access,
            CacheConfig cache,
            PluginsConfig plugins) {
        this(
                server,
                maxAddresses,
                admin,
                defaultNetwork,
                networks,
                access,
                cache,
                plugins,
                ReloadConfig.DEFAULT,
                LogFormat.TEXT,
                null,
                TracingConfig.OFF);
    }

    /** Returns the configuration after a reload: this one with those parts of the next one that can change while the proxy runs. */
    public WeirConfig reloaded(WeirConfig next) {
        return new WeirConfig(
                server,
                maxAddresses,
                admin,
                next.defaultNetwork,
                next.networks,
                next.access,
                cache,
                plugins,
                next.reload,
                log,
                sharing,
                tracing);
    }

    /**
     * The cache of results in memory. Immutable.
     *
     * @param memoryBytes maximum size of all results together; 0 disables the cache
     * @param tiers the tiers behind memory
     */
    public record CacheConfig(long memoryBytes, TierConfig tiers) {

        /** Creates a cache without tiers behind memory. */
        public CacheConfig(long memoryBytes) {
            this(memoryBytes, TierConfig.NONE);
        }
    }

    /**
     * The folders and resources of plugins. Immutable.
     *
     * @param path folders that contain plugins, see {@link Folders#read}
     * @param disabled ids of plugins that are ignored
     * @param data the folder that contains each plugin's data folder
     * @param threads of the plugin executor; each plugin has at least one
     * @param maxCallTimeMillis how far a handler may move a call's deadline
     * @param settings each plugin's own block, by id, with its origins
     */
    public record PluginsConfig(
            List<Path> path,
            Set<String> disabled,
            Path data,
            int threads,
            long maxCallTimeMillis,
            Map<String, Config> settings) {}
}
