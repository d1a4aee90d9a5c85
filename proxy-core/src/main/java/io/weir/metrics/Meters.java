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
 * The meters of the catalogue, one for each combination of label values. Thread-safe. Callers on a hot path should keep
 * the meters they get.
 */
public final class Meters {

    private final MetricRegistry registry;
    private final Map<String, String> helps = new ConcurrentHashMap<>();

    public Meters(MetricRegistry registry) {
        this.registry = registry;
    }

    /** Returns the registry that holds all meters. */
    public MetricRegistry registry() {
        return registry;
    }

    /** Returns the counter with these label values, in the order of the meter's labels. Creates it if absent. */
    public Counter counter(Meter meter, String... labelValues) {
        return registry.counter(name(meter, Meter.Kind.COUNTER, labelValues));
    }

    /** Returns the timer with these label values, creating it if absent. */
    public Timer timer(Meter meter, String... labelValues) {
        return registry.timer(name(meter, Meter.Kind.TIMER, labelValues), () -> new Timer(new BucketReservoir()));
    }

    /**
     * Registers a value that is read at each export. Replaces the gauge with the same label values.
     *
     * @return an action that removes the gauge, unless another one has replaced it
     */
    public synchronized Runnable gauge(Meter meter, LongSupplier value, String... labelValues) {
        String name = name(meter, Meter.Kind.GAUGE, labelValues);
        Gauge<Long> gauge = value::getAsLong;
        registry.remove(name);
        registry.registerGauge(name, gauge);
        return () -> remove(name, gauge);
    }

    /** Removes this very gauge. A gauge that replaced it stays. */
    @SuppressWarnings("ReferenceEquality")
    private synchronized void remove(String name, Gauge<Long> gauge) {
        if (registry.getMetrics().get(name) == gauge) {
            registry.remove(name);
        }
    }

    /** Removes the gauges of a network that serves no more. Counters stay, because they must not sink. */
    public synchronized void removeGaugesOf(String network) {
        for (Meter meter : Meter.values()) {
            if (meter.kind() == Meter.Kind.GAUGE && meter.labels().indexOf("network") == 0) {
                registry.removeMatching((name, any) -> MeterName.id(name).equals(meter.id())
                        && MeterName.labelValues(name).get(0).equals(network));
            }
        }
    }

    /** Removes a meter. */
    public void remove(Meter meter, String... labelValues) {
        registry.remove(name(meter, meter.kind(), labelValues));
    }

    /**
     * Creates a group of meters outside the catalogue, whose names begin with {@code weir_}, the prefix and an
     * underscore.
     */
    public MeterGroup group(String prefix) {
        return new MeterGroup(this, prefix);
    }

    /** Returns the help text of a group's meter by its registry name; null for every other name. */
    public @Nullable String help(String registryName) {
        return helps.get(registryName);
    }

    /** Reserves a name for a meter of a group. Returns false if the name is taken. */
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
