package io.weir.upstream.pool;

/** Reason for which a node is ejected. Immutable. */
enum EjectionReason {
    /** Several consecutive faults. */
    FAULTS,
    /** Several consecutive faults in one class of calls, while the node answers others. */
    CLASS_FAULTS,
    /** A large share of failed attempts. */
    FAULT_SHARE,
    /** Much slower answers than those of the other nodes. */
    LATENCY
}
