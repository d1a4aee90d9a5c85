package io.weir.pipeline.agree;

import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.metrics.OutcomeCounters;

/** Counters of one network's agreements. Thread-safe. */
final class AgreementMeters {

    private final OutcomeCounters<Outcome> counters;

    /** Outcome of one call, once all nodes have answered or failed. */
    enum Outcome {
        /** All answers were equal. */
        EQUAL,
        /** Enough answers were equal, and another one was not. */
        DIFFERENT,
        /** The answers differed, and too few of them were equal. */
        UNDECIDED,
        /** Too few nodes answered, without a contradiction. */
        UNANSWERED
    }

    AgreementMeters(Meters meters, String network) {
        counters = new OutcomeCounters<>(meters, Meter.AGREEMENTS, network, Outcome.class);
    }

    void count(Outcome outcome) {
        counters.count(outcome);
    }
}
