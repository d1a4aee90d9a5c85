package io.weir.pipeline.sample;

import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.metrics.OutcomeCounters;

/** Counters of one network's samples. Thread-safe. */
final class SampleMeters {

    private final OutcomeCounters<Outcome> counters;

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
        counters = new OutcomeCounters<>(meters, Meter.SAMPLES, network, Outcome.class);
    }

    void count(Outcome outcome) {
        counters.count(outcome);
    }
}
