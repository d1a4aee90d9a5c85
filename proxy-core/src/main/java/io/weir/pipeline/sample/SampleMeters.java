package io.weir.pipeline.sample;

import static java.util.Objects.requireNonNull;

import com.codahale.metrics.Counter;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counters of one network's samples. Thread-safe. */
final class SampleMeters {

    private final Map<Outcome, Counter> outcomes = new EnumMap<>(Outcome.class);

    /** Outcome of a sample. */
    enum Outcome {
        /** Another node gave an equal result. */
        EQUAL,
        /** The results of two nodes differ, and a third node's equals one of them. */
        DIFFERENT,
        /** The results of two nodes differ, and no third node's equals one of them. */
        UNDECIDED,
        /** No other node gave a result, or none could be asked. */
        SKIPPED
    }

    SampleMeters(Meters meters, String network) {
        for (Outcome outcome : Outcome.values()) {
            String label = outcome.name().toLowerCase(Locale.ROOT);
            outcomes.put(outcome, meters.counter(Meter.SAMPLES, network, label));
        }
    }

    void count(Outcome outcome) {
        requireNonNull(outcomes.get(outcome)).inc();
    }
}
