package io.weir.plugin.call;

import io.weir.plugin.bulkhead.Bulkhead;
import io.weir.plugin.bulkhead.FailureLog;

/**
 * The shared resources of one plugin's calls. Thread-safe.
 *
 * @param bulkhead their threads
 * @param trees their JSON
 * @param log the log of their failures
 * @param outcomes the meters of their outcomes
 */
public record PluginRuntime(Bulkhead bulkhead, Trees trees, FailureLog log, HandlerMeters outcomes)
        implements AutoCloseable {

    /** Returns the plugin's id. */
    public String pluginId() {
        return bulkhead.pluginId();
    }

    /** Rejects all later calls and removes the meters. */
    @Override
    public void close() {
        bulkhead.close();
        outcomes.close();
    }
}
