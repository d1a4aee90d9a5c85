package io.weir.upstream.ws;

import static java.util.Objects.requireNonNull;

import com.codahale.metrics.Counter;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counters of one node's messages that answer no call in flight. Thread-safe. */
public final class UnsolicitedMessages {

    /** Kind of such a message. */
    enum Kind {
        /** The answer to a call that was given up. */
        LATE,
        /** An answer with an id that was never used. */
        UNKNOWN_ID,
        /** Neither an answer nor a message with an id, such as a subscription's notification. */
        NOTIFICATION,
        /** Text that begins no object, or a damaged object while no call was in flight. */
        UNREADABLE
    }

    private final Map<Kind, Counter> counters = new EnumMap<>(Kind.class);

    public UnsolicitedMessages(Meters meters, String network, String upstream) {
        for (Kind kind : Kind.values()) {
            String label = kind.name().toLowerCase(Locale.ROOT);
            counters.put(kind, meters.counter(Meter.UPSTREAM_UNSOLICITED_MESSAGES, network, upstream, label));
        }
    }

    void count(Kind kind) {
        requireNonNull(counters.get(kind)).inc();
    }
}
