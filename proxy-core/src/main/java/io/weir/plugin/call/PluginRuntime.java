package io.weir.plugin.call;

import io.weir.plugin.bulkhead.Bulkhead;
import io.weir.plugin.bulkhead.FailureLog;

/**
 * What one plugin's calls share. Thread-safe.
 *
 * @param lane the threads they run on
 * @param trees their JSON
 * @param log where their failures are told
 * @param outcomes where they are counted
 */
public record PluginRuntime(Bulkhead lane, Trees trees, FailureLog log, HandlerMeters outcomes)
        implements AutoCloseable {

    /** The plugin's id. */
    public String pluginId() {
        return lane.pluginId();
    }

    /** Lets no call in any more and takes the meters away. */
    @Override
    public void close() {
        lane.close();
        outcomes.close();
    }
}
