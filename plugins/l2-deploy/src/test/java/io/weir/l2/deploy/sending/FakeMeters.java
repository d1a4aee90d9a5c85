package io.weir.l2.deploy.sending;

import io.weir.api.PluginMeters;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** Counters that a test can read. Confined to a thread. */
public final class FakeMeters implements PluginMeters {
    public final Map<String, Long> counts = new HashMap<>();
    public final Map<String, LongSupplier> gauges = new HashMap<>();

    @Override
    public Counter counter(String name, String help) {
        counts.put(name, 0L);
        return events -> counts.merge(name, events, Long::sum);
    }

    @Override
    public void gauge(String name, String help, LongSupplier value) {
        gauges.put(name, value);
    }

    @Override
    public Timer timer(String name, String help) {
        throw new UnsupportedOperationException("not asked for here");
    }
}
