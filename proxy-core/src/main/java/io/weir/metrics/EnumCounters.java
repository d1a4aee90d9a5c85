package io.weir.metrics;

import static java.util.Objects.requireNonNull;

import com.codahale.metrics.Counter;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Counters of one meter, one for each value of an enum, which is the last label. Thread-safe.
 *
 * @param <E> the enum
 */
public final class EnumCounters<E extends Enum<E>> {

    private final Map<E, Counter> counters;
    private final Meters meters;
    private final Meter meter;
    private final Function<E, @Nullable String> label;
    private final String[] labels;

    /**
     * Registers the counters. The last label is the value's name in lower case.
     *
     * @param labels the labels before
     */
    public EnumCounters(Meters meters, Meter meter, Class<E> type, String... labels) {
        this(meters, meter, type, value -> value.name().toLowerCase(Locale.ROOT), labels);
    }

    /**
     * @param label returns the last label of a value; null if the value is not counted
     * @param labels the labels before
     */
    public EnumCounters(
            Meters meters, Meter meter, Class<E> type, Function<E, @Nullable String> label, String... labels) {
        this.counters = new EnumMap<>(type);
        this.meters = meters;
        this.meter = meter;
        this.label = label;
        this.labels = labels;
        for (E value : type.getEnumConstants()) {
            if (label.apply(value) != null) {
                counters.put(value, meters.counter(meter, labels(value)));
            }
        }
    }

    private String[] labels(E value) {
        String[] all = Arrays.copyOf(labels, labels.length + 1);
        all[labels.length] = requireNonNull(label.apply(value));
        return all;
    }

    public void count(E value) {
        Counter counter = counters.get(value);
        if (counter != null) {
            counter.inc();
        }
    }

    /** Returns the counter of a value, which must have one. */
    public Counter of(E value) {
        return requireNonNull(counters.get(value));
    }

    public void remove() {
        counters.keySet().forEach(value -> meters.remove(meter, labels(value)));
    }
}
