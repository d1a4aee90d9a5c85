package io.weir.upstream;

import java.util.Locale;

/** The reason for which a call is sent to a node. */
public enum CallCause {
    /** A client's call, at its first node. */
    CLIENT,
    /** Another attempt after one that failed or found nothing, whoever's call it is. */
    RETRY,
    /** A second attempt beside a slow one. */
    HEDGE,
    /** A client's call at further nodes, which must agree. */
    AGREE,
    /** The comparison of a result with another node's before it is cached. */
    SAMPLE,
    /** A whole block, or its receipts, beyond what a client asked for. */
    PREFETCH,
    /** The evidence that proves an answer. */
    VERIFY,
    /** The head, final blocks, and what subscriptions and filters tell. */
    FOLLOWER,
    /** A health check. */
    PROBE,
    /** Any other call of the proxy's own or of a plugin. */
    OTHER;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Returns its name in metrics and traces. */
    public String label() {
        return label;
    }
}
