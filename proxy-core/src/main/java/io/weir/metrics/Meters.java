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
    private final Map<String, String> helps;
    /** Null for the meters of the whole proxy. */
    private final @Nullable GaugeScope scope;

    public Meters(MetricRegistry registry) {
        this(registry, new ConcurrentHashMap<>(), null);
    }

    private Meters(MetricRegistry registry, Map<String, String> helps, @Nullable GaugeScope scope) {
        this.registry = registry;
        this.helps = helps;
        this.scope = scope;
    }

    /** Creates a scope for the gauges of a part of the proxy. They do not show yet. */
    public GaugeScope scope() {
        return new GaugeScope(this);
    }

    Meters within(GaugeScope part) {
        return new Meters(registry, helps, part);
    }

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
     * Registers a value that is read at each export. Replaces the gauge with the same label values, once the scope shows.
     *
     * @return an action that removes the gauge, unless another one has replaced it
     */
    public Runnable gauge(Meter meter, LongSupplier value, String... labelValues) {
        String name = name(meter, Meter.Kind.GAUGE, labelValues);
        Gauge<Long> gauge = value::getAsLong;
        if (scope != null) {
            return scope.add(name, gauge);
        }
        show(name, gauge);
        return () -> remove(name, gauge);
    }

    synchronized void show(String name, Gauge<Long> gauge) {
        if (!shows(name, gauge)) {
            registry.remove(name);
            registry.registerGauge(name, gauge);
        }
    }

    /** Removes this very gauge. A gauge that replaced it stays. */
    synchronized void remove(String name, Gauge<Long> gauge) {
        if (shows(name, gauge)) {
            registry.remove(name);
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private boolean shows(String name, Gauge<Long> gauge) {
        return registry.getMetrics().get(name) == gauge;
    }

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
