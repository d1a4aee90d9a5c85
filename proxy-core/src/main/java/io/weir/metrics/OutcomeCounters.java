package io.weir.metrics;

import com.codahale.metrics.Counter;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Counters of one network, one for each outcome of something. The label is the outcome's name in lower case. Thread-safe.
 *
 * @param <E> the outcomes
 */
public final class OutcomeCounters<E extends Enum<E>> {

    private final Map<E, Counter> counters;

    /**
     * Creates the counters.
     *
     * @param meter has the labels network and outcome
     */
    public OutcomeCounters(Meters meters, Meter meter, String network, Class<E> outcomes) {
        counters = new EnumMap<>(outcomes);
        for (E outcome : outcomes.getEnumConstants()) {
            counters.put(outcome, meters.counter(meter, network, outcome.name().toLowerCase(Locale.ROOT)));
        }
    }

    /** Counts an outcome. */
    public void count(E outcome) {
        Objects.requireNonNull(counters.get(outcome)).inc();
    }
}
