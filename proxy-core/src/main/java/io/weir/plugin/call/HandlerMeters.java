package io.weir.plugin.call;

import com.codahale.metrics.Counter;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;

/** The meters of one plugin's calls or requests for its pages, by outcome. Thread-safe. */
public final class HandlerMeters implements AutoCloseable {

    private final Meters meters;
    private final Meter meter;
    private final String pluginId;
    private final Counter result;
    private final Counter error;
    private final Counter failure;
    private final Counter timeout;
    private final Counter rejected;

    public HandlerMeters(Meters meters, Meter meter, String pluginId) {
        this.meters = meters;
        this.meter = meter;
        this.pluginId = pluginId;
        result = counter("result");
        error = counter("error");
        failure = counter("failure");
        timeout = counter("timeout");
        rejected = counter("rejected");
    }

    void count(Ending<?> ending) {
        counterOf(ending).inc();
    }

    private Counter counterOf(Ending<?> ending) {
        if (ending instanceof Ending.Value) {
            return result;
        }
        if (ending instanceof Ending.ErrorReply) {
            return error;
        }
        if (ending instanceof Ending.Broken) {
            return failure;
        }
        // Calls whose code had no thread until their deadline get the same answer as those that were never accepted.
        return ending instanceof Ending.Late<?> late && late.begun() ? timeout : rejected;
    }

    private Counter counter(String outcome) {
        return meters.counter(meter, pluginId, outcome);
    }

    /** Removes the meters. */
    @Override
    public void close() {
        for (String outcome : new String[] {"result", "error", "failure", "timeout", "rejected"}) {
            meters.remove(meter, pluginId, outcome);
        }
    }
}
