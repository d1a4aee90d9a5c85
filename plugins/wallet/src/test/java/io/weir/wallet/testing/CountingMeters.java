package io.weir.wallet.testing;

import io.weir.api.PluginMeters;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Meters that a test reads. Thread-safe. */
public final class CountingMeters implements PluginMeters {
    private final Map<String, LongAdder> counters = new ConcurrentHashMap<>();
    private final Map<String, LongSupplier> gauges = new ConcurrentHashMap<>();

    /** What a counter has come to. */
    public long count(String name) {
        return counters.getOrDefault(name, new LongAdder()).sum();
    }

    /** What a gauge shows. */
    public long gauge(String name) {
        return gauges.get(name).getAsLong();
    }

    @Override
    public Counter counter(String name, String help) {
        return counters.computeIfAbsent(name, key -> new LongAdder())::add;
    }

    @Override
    public void gauge(String name, String help, LongSupplier value) {
        gauges.put(name, value);
    }

    @Override
    public Timer timer(String name, String help) {
        return (Duration duration) -> {};
    }
}
