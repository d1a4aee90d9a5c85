package io.weir.upstream.pool;

import java.util.Locale;

/** Reason for which a node is ejected. Immutable. */
enum EjectionReason {
    /** Several consecutive faults. */
    FAULTS,
    /** Several consecutive faults in one class of calls, while the node answers others. */
    CLASS_FAULTS,
    /** A large share of failed attempts. */
    FAULT_SHARE,
    /** Much slower answers than those of the other nodes. */
    LATENCY;

    /** Returns the name of the reason in metrics. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
