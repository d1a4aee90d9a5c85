package io.weir.upstream.verdict;

import java.util.Locale;

/** Class of a node's error, with its consequences. Immutable. */
public enum ErrorClass {
    /** The call was executed, and this is its outcome: a revert, a halt, a transaction that cannot be accepted. */
    EXECUTION_VERDICT(Then.FINAL, Health.ANSWERED, View.AS_IT_CAME),
    /** The node accepts no more calls from the proxy for now. */
    RATE_LIMITED(Then.ELSEWHERE_UNDONE, Health.THROTTLED, View.RATE_LIMIT),
    /** The call or its answer exceeds a limit of the node: a block range, a batch, a size. */
    TOO_LARGE(Then.ELSEWHERE, Health.ANSWERED, View.AS_IT_CAME),
    /** The node does not have the block, the state or the history that the call is about. Another node may have it. */
    LACKS_DATA(Then.ELSEWHERE, Health.ANSWERED, View.AS_IT_CAME),
    /** The node does not have the method. */
    UNSUPPORTED(Then.ELSEWHERE_UNDONE, Health.ANSWERED, View.NOT_FOUND),
    /** The node refuses the proxy's credentials. */
    CREDENTIALS(Then.ELSEWHERE_UNDONE, Health.OUT, View.UNAVAILABLE),
    /** Something is wrong with the node. */
    NODE_FAULT(Then.ELSEWHERE, Health.FAULT, View.UNAVAILABLE),
    /** The call itself is wrong, or the answer is about it alone. Any node would answer likewise. */
    CLIENT_MISTAKE(Then.FINAL, Health.ANSWERED, View.AS_IT_CAME),
    /** The table does not know the words. One other node is asked, because the node itself may be the cause. */
    UNKNOWN(Then.ELSEWHERE, Health.ANSWERED, View.AS_IT_CAME);

    /** Whether another node is asked. */
    public enum Then {
        /** No other node is asked. */
        FINAL,
        /** Another node is asked if the call is safe to repeat. */
        ELSEWHERE,
        /** Another node is asked for any call, because this one says that it did nothing. */
        ELSEWHERE_UNDONE
    }

    /** Effect on the node's health. */
    public enum Health {
        /** The node answered. */
        ANSWERED,
        /** The node gets no calls for a while, but is not down. */
        THROTTLED,
        /** One fault. Several in a row take the node out. */
        FAULT,
        /** The node is taken out. */
        OUT
    }

    /** Error that the client sees if no node gave a better answer. */
    public enum View {
        /** The node's own code and message, cleaned. */
        AS_IT_CAME,
        /** An error saying that every node is rate limited. */
        RATE_LIMIT,
        /** An error saying that the method does not exist. */
        NOT_FOUND,
        /** An error in the proxy's own words, saying that no node could answer. */
        UNAVAILABLE
    }

    private final Then then;
    private final Health health;
    private final View view;
    private final String label;

    ErrorClass(Then then, Health health, View view) {
        this.then = then;
        this.health = health;
        this.view = view;
        this.label = name().toLowerCase(Locale.ROOT);
    }

    /** Returns whether another node is asked. */
    public Then then() {
        return then;
    }

    /** Returns the effect on the node's health. */
    public Health health() {
        return health;
    }

    /** Returns which error the client sees if no node gave a better answer. */
    public View view() {
        return view;
    }

    /** Returns the name of the class in metrics. */
    public String label() {
        return label;
    }
}
