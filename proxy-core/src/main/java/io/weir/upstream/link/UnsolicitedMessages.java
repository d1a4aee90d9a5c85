package io.weir.upstream.link;

import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;

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

    private final EnumCounters<Kind> counters;

    public UnsolicitedMessages(Meters meters, String network, String upstream) {
        counters = new EnumCounters<>(meters, Meter.UPSTREAM_UNSOLICITED_MESSAGES, Kind.class, network, upstream);
    }

    void count(Kind kind) {
        counters.count(kind);
    }
}
