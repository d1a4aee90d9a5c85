package io.weir.upstream.verdict;

import io.weir.upstream.verdict.Verdict.Effect;
import io.weir.upstream.verdict.Verdict.Then;
import java.util.Locale;

/** Class of a node's error, with its consequences. Immutable. */
public enum ErrorClass {
    /** The call was executed, and this is its outcome: a revert, a halt, a transaction that cannot be accepted. */
    EXECUTION_VERDICT(Then.FINAL, Effect.ANSWERED),
    /** The node accepts no more calls from the proxy for now. */
    RATE_LIMITED(Then.ELSEWHERE_UNDONE, Effect.THROTTLED),
    /** The call or its answer exceeds a limit of the node: a block range, a batch, a size. */
    TOO_LARGE(Then.ELSEWHERE, Effect.ANSWERED),
    /** The node does not have the block, the state or the history that the call is about. Another node may have it. */
    LACKS_DATA(Then.ELSEWHERE, Effect.ANSWERED),
    /** The node does not have the method. */
    UNSUPPORTED(Then.ELSEWHERE_UNDONE, Effect.ANSWERED),
    /** The node refuses the proxy's credentials. */
    CREDENTIALS(Then.ELSEWHERE_UNDONE, Effect.OUT),
    /** Something is wrong with the node. */
    NODE_FAULT(Then.ELSEWHERE, Effect.FAULT),
    /** The call itself is wrong, or the answer is about it alone. Any node would answer likewise. */
    CLIENT_MISTAKE(Then.FINAL, Effect.ANSWERED),
    /** The table does not know the words. One other node is asked, because the node itself may be the cause. */
    UNKNOWN(Then.ELSEWHERE, Effect.ANSWERED);

    private final Then then;
    private final Effect effect;
    private final String label;

    ErrorClass(Then then, Effect effect) {
        this.then = then;
        this.effect = effect;
        this.label = name().toLowerCase(Locale.ROOT);
    }

    /** Returns whether another node is asked. */
    public Then then() {
        return then;
    }

    public Effect effect() {
        return effect;
    }

    /** Returns whether the client sees the node's own error if no node gave a better answer. */
    public boolean isShown() {
        return effect == Effect.ANSWERED && this != UNSUPPORTED;
    }

    /** Returns the name of the class in metrics. */
    public String label() {
        return label;
    }
}
