package io.weir.wallet.approval;

/** How a request for approval ended. */
public enum Decision {
    APPROVED,
    /** By a person. */
    REFUSED,
    /** By the policy, or because nobody can approve it. */
    FORBIDDEN,
    /** Nobody decided in time. */
    TIMED_OUT,
    /** Its callers have gone. */
    WITHDRAWN,
    /** The proxy stops. */
    STOPPED
}
