package io.weir.wallet.approval;

/** How a request for approval ended. */
public enum Decision {
    APPROVED,
    /** By a person, by the policy, or because the proxy stops. */
    REFUSED,
    /** Nobody decided in time. */
    TIMED_OUT,
    /** Its callers have gone. */
    WITHDRAWN
}
