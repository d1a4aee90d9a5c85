package io.weir.pipeline.send;

import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.metrics.OutcomeCounters;

/** Counters of the outcomes of one network's transactions. Thread-safe. */
final class SendMeters {

    private final OutcomeCounters<Outcome> counters;

    /** Outcome of a transaction. */
    enum Outcome {
        /** A node accepted it. */
        ACCEPTED,
        /** A node said that it has it. */
        KNOWN,
        /** A node was found to have it although its error did not say so. */
        FOUND,
        /** Nodes refused it. */
        REFUSED,
        /** No node answered, and none can have taken it. */
        UNANSWERED,
        /** A node may have taken it, but none was found to have it. */
        UNCERTAIN,
        /** The same transaction was in flight already. */
        COALESCED,
        /** A node answered with another hash. */
        OTHER_HASH,
        /** Its hash cannot be computed. */
        UNKNOWN_HASH
    }

    SendMeters(Meters meters, String network) {
        counters = new OutcomeCounters<>(meters, Meter.TRANSACTIONS, network, Outcome.class);
    }

    void count(Outcome outcome) {
        counters.count(outcome);
    }
}
