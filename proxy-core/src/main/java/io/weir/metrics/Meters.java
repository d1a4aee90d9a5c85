package io.weir.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds or makes the meters of the catalogue, one for each combination of label values. Thread-safe; callers on a hot path
 * keep what they were given.
 */
public final class Meters {

    private final MetricRegistry registry;
    private final Map<String, String> helps = new ConcurrentHashMap<>();

    public Meters(MetricRegistry registry) {
        this.registry = registry;
    }

    /** The registry that holds everything. */
    public MetricRegistry registry() {
        return registry;
    }

    /** A counter of these label values, in the order of the meter's labels. */
    public Counter counter(Meter meter, String... labelValues) {
        return registry.counter(name(meter, Meter.Kind.COUNTER, labelValues));
    }

    /** A timer of these label values. */
    public Timer timer(Meter meter, String... labelValues) {
        return registry.timer(name(meter, Meter.Kind.TIMER, labelValues), () -> new Timer(new BucketReservoir()));
    }

    /**
     * Has a value read whenever the metrics are; replaces what was read under the same label values.
     *
     * @return takes the gauge away again, where no other has taken its place
     */
    public synchronized Runnable gauge(Meter meter, LongSupplier value, String... labelValues) {
        String name = name(meter, Meter.Kind.GAUGE, labelValues);
        Gauge<Long> gauge = value::getAsLong;
        registry.remove(name);
        registry.registerGauge(name, gauge);
        return () -> remove(name, gauge);
    }

    /** That very gauge: one that took its place meanwhile stays. */
    @SuppressWarnings("ReferenceEquality")
    private synchronized void remove(String name, Gauge<Long> gauge) {
        if (registry.getMetrics().get(name) == gauge) {
            registry.remove(name);
        }
    }

    /** Takes a meter away. */
    public void remove(Meter meter, String... labelValues) {
        registry.remove(name(meter, meter.kind(), labelValues));
    }

    /** Begins a group of meters outside the catalogue, whose names begin with {@code weir_}, the prefix and an underscore. */
    public MeterGroup group(String prefix) {
        return new MeterGroup(this, prefix);
    }

    /** What a meter of a group means, by its name in the registry; null for every other name. */
    public @Nullable String help(String registryName) {
        return helps.get(registryName);
    }

    /** Takes a name for a meter of a group; false where it is taken. */
    boolean describe(String registryName, String help) {
        return helps.putIfAbsent(registryName, help) == null;
    }

    void forget(String registryName) {
        helps.remove(registryName);
    }

    private static String name(Meter meter, Meter.Kind kind, String... labelValues) {
        if (meter.kind() != kind) {
            throw new IllegalArgumentException("meter: " + meter + " (expected: a " + kind + ")");
        }
        return MeterName.of(meter, labelValues);
    }
}
