package io.weir.config;

import com.typesafe.config.Config;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The whole configuration. Immutable.
 *
 * @param limits on what one call may hold
 * @param defaultNetwork the network of requests that name none
 * @param networks by name, in the order of the file
 */
public record WeirConfig(
        ServerConfig server,
        LimitsConfig limits,
        AdminConfig admin,
        String defaultNetwork,
        Map<String, NetworkConfig> networks,
        AccessConfig access,
        CacheConfig cache,
        PluginsConfig plugins) {

    /**
     * What is kept in memory.
     *
     * @param memoryBytes the bound of all results together; 0 keeps none
     * @param verifyThreads on which answers are verified
     * @param verifyQueue answers that may wait for these threads
     * @param verifyBytes of answers that wait or are being verified
     * @param tiers behind the memory
     */
    public record CacheConfig(
            long memoryBytes, int verifyThreads, int verifyQueue, long verifyBytes, TierConfig tiers) {

        /** With nothing behind the memory. */
        public CacheConfig(long memoryBytes, int verifyThreads, int verifyQueue, long verifyBytes) {
            this(memoryBytes, verifyThreads, verifyQueue, verifyBytes, TierConfig.NONE);
        }
    }

    /**
     * Where plugins are found and what they get.
     *
     * @param path folders that hold plugins, resolved against the working directory
     * @param disabled ids of plugins that are left alone
     * @param data the folder below which each plugin has its data folder
     * @param threads of the plugin executor; each plugin has one at least
     * @param queue calls of one plugin that may be under way beyond the threads
     * @param maxCallTimeMillis how far a handler may move a call's deadline
     * @param settings each plugin's own block, by id, with its origins
     */
    public record PluginsConfig(
            List<Path> path,
            Set<String> disabled,
            Path data,
            int threads,
            int queue,
            long maxCallTimeMillis,
            Map<String, Config> settings) {}
}
