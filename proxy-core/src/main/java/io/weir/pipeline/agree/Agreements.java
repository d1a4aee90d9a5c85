package io.weir.pipeline.agree;

import io.weir.chain.FinalizedHeight;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.AgreeConfig;
import io.weir.limit.Budget;
import io.weir.method.CacheClass;
import io.weir.method.MethodFacts;
import io.weir.method.MethodPattern;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.CheckedParams;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.evidence.MisbehaviourTracker;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parts that the agreements of one network share. Immutable; its parts are thread-safe. */
public final class Agreements {

    private final NetworkConfig config;
    private final Nodes nodes;
    private final MisbehaviourTracker misbehaviour;
    private final FinalizedHeight finalized;
    private final Budget bytes;
    private final EnumCounters<Outcome> outcomes;

    /** Outcome of one call, once all nodes have answered or failed. */
    enum Outcome {
        /** All answers were equal. */
        EQUAL,
        /** Enough answers were equal, and another one was not. */
        DIFFERENT,
        /** The answers differed, and too few of them were equal. */
        UNDECIDED,
        /** Too few nodes answered, without a contradiction. */
        UNANSWERED
    }

    /**
     * Creates the parts.
     *
     * @param misbehaviour learns of answers that others contradict
     * @param bytes the budget of answers in flight
     */
    public Agreements(
            NetworkConfig config,
            Nodes nodes,
            MisbehaviourTracker misbehaviour,
            FinalizedHeight finalized,
            Budget bytes,
            Meters meters) {
        this.config = config;
        this.nodes = nodes;
        this.misbehaviour = misbehaviour;
        this.finalized = finalized;
        this.bytes = bytes;
        this.outcomes = new EnumCounters<>(meters, Meter.AGREEMENTS, Outcome.class, config.name());
    }

    /**
     * Returns whether several nodes may get calls of a method. They may if a call is safe to repeat, and if it is not cut into calls to
     * the nodes that take its pieces, as it is unless the network names the method.
     */
    public static boolean isPossible(MethodFacts facts, AgreeConfig agree) {
        return facts.repeatable()
                && (facts.cacheClass() != CacheClass.LOGS || agree.methods().contains(facts.name()));
    }

    /** Returns the stage that has nodes agree on calls of a method; {@code next} if they need not. */
    public Stage before(MethodFacts facts, Stage next) {
        List<String> methods = config.agree().methods();
        return MethodPattern.anyMatches(methods, facts.name()) && isPossible(facts, config.agree())
                ? new AgreeStage(this, facts, next)
                : next;
    }

    AgreeConfig settings() {
        return config.agree();
    }

    String network() {
        return config.name();
    }

    Nodes nodes() {
        return nodes;
    }

    MisbehaviourTracker misbehaviour() {
        return misbehaviour;
    }

    /** Returns whether a block can no longer be replaced, so that honest nodes know the same one. */
    boolean isFinal(long block) {
        return block > 0 && finalized.covers(block);
    }

    Budget bytes() {
        return bytes;
    }

    EnumCounters<Outcome> outcomes() {
        return outcomes;
    }

    /**
     * Stage that sends a call to several nodes at once, and answers once enough of their answers are equal. Calls about pending blocks go
     * to one node, because each node has its own. Thread-safe.
     */
    private static final class AgreeStage implements Stage {

        private final Agreements agreements;
        private final MethodFacts facts;
        private final Stage next;

        AgreeStage(Agreements agreements, MethodFacts facts, Stage next) {
            this.agreements = agreements;
            this.facts = facts;
            this.next = next;
        }

        @Override
        public void handle(CallContext context, ReplySink sink) {
            if (isPending(context.checkedParams())) {
                next.handle(context, sink);
                return;
            }
            context.needsWhole();
            AgreedCall agreed = new AgreedCall(agreements, facts, context, sink);
            agreements.nodes().picking().whenProbed(context, agreed::begin);
        }

        private static boolean isPending(@Nullable CheckedParams params) {
            return params != null && params.block() instanceof BlockSelector.Tag tag && tag.tag() == BlockTag.PENDING;
        }
    }
}
