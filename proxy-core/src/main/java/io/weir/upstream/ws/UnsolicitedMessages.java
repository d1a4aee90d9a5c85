package io.weir.upstream.ws;

import static java.util.Objects.requireNonNull;

import com.codahale.metrics.Counter;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counts messages of one node that answer no call under way. Thread-safe. */
public final class UnsolicitedMessages {

    /** What a message was instead. */
    enum Kind {
        /** The answer to a call that was given up. */
        LATE,
        /** An answer under an id that was never asked under. */
        UNKNOWN_ID,
        /** Neither an answer nor anything with an id, such as a subscription's. */
        NOTIFICATION,
        /** No JSON-RPC at all, while no call was under way. */
        UNREADABLE
    }

    private final Map<Kind, Counter> counters = new EnumMap<>(Kind.class);

    /** Finds the counters of a node. */
    public UnsolicitedMessages(Meters meters, String network, String upstream) {
        for (Kind kind : Kind.values()) {
            String label = kind.name().toLowerCase(Locale.ROOT);
            counters.put(kind, meters.counter(Meter.UPSTREAM_UNASKED_MESSAGES, network, upstream, label));
        }
    }

    void count(Kind kind) {
        requireNonNull(counters.get(kind)).inc();
    }
}
