package io.weir.transport.tls;

import com.codahale.metrics.Counter;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The meters of a listener's TLS handshakes, by outcome. Thread-safe. */
final class HandshakeCounters {

    private final Map<Outcome, Counter> counters = new EnumMap<>(Outcome.class);

    /** The outcome of a handshake. */
    enum Outcome {
        /** The connection is secured. */
        OK,
        /** The client does not speak TLS. */
        PLAIN,
        /** The handshake took too long. */
        TIMEOUT,
        /** The client has left. */
        CLOSED,
        /** The sides do not agree on versions, ciphers or certificates. */
        FAILED
    }

    HandshakeCounters(Meters meters, String listener) {
        for (Outcome outcome : Outcome.values()) {
            counters.put(
                    outcome,
                    meters.counter(
                            Meter.TLS_HANDSHAKES, listener, outcome.name().toLowerCase(Locale.ROOT)));
        }
    }

    void count(Outcome outcome) {
        Counter counter = counters.get(outcome);
        if (counter != null) {
            counter.inc();
        }
    }
}
