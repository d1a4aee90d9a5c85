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
 * Meters outside the catalogue that belong together, such as a plugin's: named alike, bounded in number, taken away together.
 * Thread-safe.
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

    /** A counter; the same one for the same name. */
    public Counter counter(String name, String help) {
        return meters.registry().counter(claim(name, help));
    }

    /** A timer, under a name that ends in {@code _seconds}; the same one for the same name. */
    public Timer timer(String name, String help) {
        String unit = name.endsWith("_seconds") ? name : name + "_seconds";
        return meters.registry().timer(claim(unit, help), () -> new Timer(new BucketReservoir()));
    }

    /** Has a value read whenever the metrics are; replaces what was read under the same name. */
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

    /** Takes them all away. */
    @Override
    public synchronized void close() {
        names.forEach(name -> {
            meters.registry().remove(name);
            meters.forget(name);
        });
        names.clear();
    }
}
