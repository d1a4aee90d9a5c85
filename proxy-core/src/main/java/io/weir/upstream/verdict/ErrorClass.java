package io.weir.upstream.verdict;

import java.util.Locale;

/** What kind of error a node answered with, and what follows from that. Immutable. */
public enum ErrorClass {
    /** The call was carried out, and this is what came of it: a revert, a halt, a transaction that cannot be taken. */
    EXECUTION_VERDICT(Then.FINAL, Health.ANSWERED, View.AS_IT_CAME),
    /** The node takes no more calls of ours for now. */
    RATE_LIMITED(Then.ELSEWHERE_UNDONE, Health.THROTTLED, View.RATE_LIMIT),
    /** The call, or its answer, is more than the node gives: a block range, a batch, a size. */
    TOO_LARGE(Then.ELSEWHERE, Health.ANSWERED, View.AS_IT_CAME),
    /** The node does not have the block, the state or the history that the call is about; another one may. */
    LACKS_DATA(Then.ELSEWHERE, Health.ANSWERED, View.AS_IT_CAME),
    /** The node does not have the method. */
    UNSUPPORTED(Then.ELSEWHERE_UNDONE, Health.ANSWERED, View.NOT_FOUND),
    /** The node refuses our credentials. */
    CREDENTIALS(Then.ELSEWHERE_UNDONE, Health.OUT, View.UNAVAILABLE),
    /** Something is wrong with the node. */
    NODE_FAULT(Then.ELSEWHERE, Health.FAULT, View.UNAVAILABLE),
    /** The call itself is wrong, or the answer is about it alone: any node would say the like. */
    CLIENT_MISTAKE(Then.FINAL, Health.ANSWERED, View.AS_IT_CAME);

    /** Whether another node is asked. */
    public enum Then {
        /** No other node is asked. */
        FINAL,
        /** Another node is asked, where the call is safe to repeat. */
        ELSEWHERE,
        /** Another node is asked whatever the call: this one says that it did nothing. */
        ELSEWHERE_UNDONE
    }

    /** What it says of the node's health. */
    public enum Health {
        /** The node answered. */
        ANSWERED,
        /** The node is left alone for a while, and is not down. */
        THROTTLED,
        /** One fault of those of which several in a row take a node out. */
        FAULT,
        /** The node is taken out. */
        OUT
    }

    /** What the client sees where no node gave anything better. */
    public enum View {
        /** The node's own code and message, cleaned. */
        AS_IT_CAME,
        /** That every node is rate limited. */
        RATE_LIMIT,
        /** That the method does not exist. */
        NOT_FOUND,
        /** That no node could answer, in the proxy's own words. */
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

    /** Whether another node is asked. */
    public Then then() {
        return then;
    }

    /** What it says of the node's health. */
    public Health health() {
        return health;
    }

    /** What the client sees where no node gave anything better. */
    public View view() {
        return view;
    }

    /** Its name in meters. */
    public String label() {
        return label;
    }
}
