package io.weir.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * Related meters outside the catalogue, such as a plugin's. They share a name prefix, are bounded in number and are
 * removed together. Thread-safe.
 */
public final class MeterGroup implements AutoCloseable {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,99}");
    private static final int MAX_METERS = 200;

    private final Meters meters;
    private final String prefix;
    private final Set<String> names = new LinkedHashSet<>();

    MeterGroup(Meters meters, String prefix) {
        this.meters = meters;
        this.prefix = prefix;
    }

    /** Returns the counter with this name, creating it if absent. */
    public Counter counter(String name, String help) {
        return meters.registry().counter(claim(name, help));
    }

    /**
     * Returns the timer with this name, creating it if absent. Adds the suffix {@code _seconds} if the name lacks it.
     */
    public Timer timer(String name, String help) {
        String unit = name.endsWith("_seconds") ? name : name + "_seconds";
        return meters.registry().timer(claim(unit, help), () -> new Timer(new BucketReservoir()));
    }

    /** Registers a value that is read at each export. Replaces the gauge with the same name. */
    public void gauge(String name, String help, LongSupplier value) {
        String full = claim(name, help);
        MetricRegistry registry = meters.registry();
        registry.remove(full);
        registry.registerGauge(full, (Gauge<Long>) value::getAsLong);
    }

    private synchronized String claim(String name, String help) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "meter: " + name + " (expected: lower-case words joined by underscores, at most 100 letters)");
        }
        String full = "weir_" + prefix + "_" + name;
        if (!names.contains(full)) {
            if (names.size() >= MAX_METERS) {
                throw new IllegalArgumentException("meters: " + name + " (expected: at most " + MAX_METERS + ")");
            }
            if (!meters.describe(full, help)) {
                throw new IllegalArgumentException("meter: " + full + " (expected: a name that is not taken)");
            }
            names.add(full);
        }
        return full;
    }

    @Override
    public synchronized void close() {
        names.forEach(name -> {
            meters.registry().remove(name);
            meters.forget(name);
        });
        names.clear();
    }
}
