package io.weir.upstream.pool;

import java.util.Locale;

/** Reason for which a node is ejected. Immutable. */
enum EjectionReason {
    /** Several consecutive faults. */
    FAULTS,
    /** A large share of failed attempts. */
    FAULT_SHARE,
    /** Much slower answers than those of the other nodes. */
    LATENCY;

    /** Returns the name of the reason in metrics. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
