package io.weir.pipeline.send;

import com.codahale.metrics.Counter;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counts what becomes of one network's transactions. Thread-safe. */
final class SendMeters {

    private final Map<Outcome, Counter> counters = new EnumMap<>(Outcome.class);

    /** What became of a transaction. */
    enum Outcome {
        /** A node took it. */
        ACCEPTED,
        /** A node said that it has it. */
        KNOWN,
        /** A node was found to have it although its error did not say so. */
        FOUND,
        /** Nodes do not want it. */
        REFUSED,
        /** No node answered. */
        UNANSWERED,
        /** It was under way already. */
        JOINED,
        /** A node answered with another hash. */
        OTHER_HASH,
        /** Its hash cannot be told. */
        OPAQUE
    }

    SendMeters(Meters meters, String network) {
        for (Outcome outcome : Outcome.values()) {
            String label = outcome.name().toLowerCase(Locale.ROOT);
            counters.put(outcome, meters.counter(Meter.TRANSACTIONS, network, label));
        }
    }

    void count(Outcome outcome) {
        Counter counter = counters.get(outcome);
        if (counter != null) {
            counter.inc();
        }
    }
}
