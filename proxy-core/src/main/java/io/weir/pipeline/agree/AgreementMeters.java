package io.weir.pipeline.agree;

import static java.util.Objects.requireNonNull;

import com.codahale.metrics.Counter;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counters of one network's agreements. Thread-safe. */
final class AgreementMeters {

    private final Map<Outcome, Counter> outcomes = new EnumMap<>(Outcome.class);

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
        for (Outcome outcome : Outcome.values()) {
            String label = outcome.name().toLowerCase(Locale.ROOT);
            outcomes.put(outcome, meters.counter(Meter.AGREEMENTS, network, label));
        }
    }

    void count(Outcome outcome) {
        requireNonNull(outcomes.get(outcome)).inc();
    }
}
