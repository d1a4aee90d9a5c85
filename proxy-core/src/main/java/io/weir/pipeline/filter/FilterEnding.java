package io.weir.pipeline.filter;

/** Reason for a filter's end. */
public enum FilterEnding {
    /** Its client removed it. */
    UNINSTALLED,
    /** No call used it. */
    IDLE,
    /** The node went away or lost it, or the stream of blocks could not go on. */
    LOST,
    /** The node assigned its id again, so it has lost it. */
    REPLACED,
    /** Its next change left the journal before it was polled. */
    EVICTED,
    /** Its key may reach other contracts now. */
    REVOKED
}
