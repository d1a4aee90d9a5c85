package io.weir.pipeline.plan;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ChainCalls;
import io.weir.method.MethodFacts;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.TransactionBlock;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool;
import io.weir.upstream.UpstreamStatus.Health;
import io.weir.upstream.latency.LatencyClass;
import io.weir.upstream.verdict.ErrorClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Record of the attempts of one call whose outcome was no plain result: how many of them count, what nodes said, and where they
 * contradict each other. Tells nodes what others showed about them. Most calls need none. Confined to the call's event loop.
 */
final class AttemptRecord {

    /** Attempts of which each may have harmed its node, as a call that makes nodes fail does. */
    private static final int MAX = 4;

    /** The same for lookups, which harm no node. */
    private static final int MAX_LOOKUPS = 16;

    /** Parameters of the proxy's own call, which nobody checked. */
    private static final @Nullable RawJson FINALIZED =
            ChainCalls.blockByTag(BlockTag.FINALIZED).params();

    private final CallContext context;
    private final boolean repeatable;
    private final MethodFacts facts;
    private final RetryDecision decision;
    /** Whether the call names its block as {@code safe} or {@code finalized}, for which nodes without these tags have any words. */
    private final boolean ofFinalTag;

    /** Null until nodes disagree, which is rare. */
    private @Nullable Disagreements disagreements;

    /** Attempts that count against no maximum. */
    private int uncounted;

    private boolean failed;
    /** Nodes whose failure may pass, since they were taken last. */
    private final List<Upstream> passing = new ArrayList<>(0);

    private boolean passingLimited = true;

    /** @param facts of the call's method */
    AttemptRecord(CallContext context, boolean repeatable, MethodFacts facts) {
        this.context = context;
        this.repeatable = repeatable;
        this.facts = facts;
        CheckedParams params = context.checkedParams();
        boolean checked = params != null && params.shape().isOfEthereum();
        this.ofFinalTag = params == null
                ? Objects.equals(context.call().params(), FINALIZED)
                : checked
                        && params.block() instanceof BlockSelector.Tag block
                        && (block.tag() == BlockTag.SAFE || block.tag() == BlockTag.FINALIZED);
        this.decision = new RetryDecision(facts, repeatable, context.blockExists(), checked);
    }

    /**
     * Returns whether another attempt may begin.
     *
     * @param begun the number of attempts, apart from those over a fresh connection to the same node
     */
    boolean mayGoOn(int begun) {
        boolean lookup = repeatable && LatencyClass.of(facts) == LatencyClass.LOOKUP;
        return begun - uncounted < (lookup ? MAX_LOOKUPS : MAX);
    }

    /** Returns whether an attempt failed that had a connection. */
    boolean hasFailed() {
        return failed;
    }

    /** Notes a result, which ends the call. */
    void answered(Answered answered) {
        if (disagreements != null) {
            disagreements.answered(answered);
        }
    }

    /** Notes any other outcome, and returns what follows from it. */
    RetryDecision.Step add(Upstream upstream, long nanos, NodeOutcome outcome) {
        if (outcome instanceof Answered answered) {
            context.trace().answeredBy(upstream.id(), nanos);
            lacked(upstream, answered);
            boolean mayRepeat = !decision.refusesParams(answered) || upstream.takeRefusalRepeat();
            RetryDecision.Step step = decision.afterAnswer(answered, mayRepeat);
            compare(upstream, answered, step);
            return step;
        }
        Failed failure = (Failed) outcome;
        if (failure.fault() == Fault.BEHIND) {
            context.trace().lackedData(true);
        }
        if (ofFinalTag && failure.said() != null) {
            context.trace().lackedData(true);
        } else if (decision.mayPass(failure)) {
            passing.add(upstream);
            passingLimited &= failure.fault() == Fault.RATE_LIMITED;
        }
        // A connection that cannot be made costs nobody anything.
        failed |= failure.fault() != Fault.CONNECT;
        if (failure.executed() == Executed.NO || failure.fault() == Fault.TIMEOUT) {
            // Time bounds these attempts; and the next node cannot suffer from what the call did to this one.
            uncounted++;
        }
        return decision.afterFailure(failure);
    }

    /** A node that lacks what the call needs could not have answered. */
    private void lacked(Upstream upstream, Answered answered) {
        boolean data = hasClass(answered, ErrorClass.LACKS_DATA);
        context.trace().lackedData(data || (ofFinalTag && hasClass(answered, ErrorClass.UNKNOWN)));
        if (data && context.leastHead() > 0) {
            upstream.lackedData(context.call(), context.leastHead());
        } else if (data) {
            disagreements().lackedData(upstream);
        }
        if (data || hasClass(answered, ErrorClass.UNSUPPORTED)) {
            uncounted++;
        }
    }

    private static boolean hasClass(Answered answered, ErrorClass errorClass) {
        return answered.verdict() != null && answered.verdict().is(errorClass);
    }

    private void compare(Upstream upstream, Answered answered, RetryDecision.Step step) {
        if (step == RetryDecision.Step.ANSWER) {
            if (disagreements != null && !decision.foundNothing()) {
                disagreements.answered(answered);
            }
        } else if (decision.refusesParams(answered)) {
            disagreements().refusedParams(upstream);
        } else if (decision.foundNothing()) {
            disagreements().foundNothing(upstream);
        }
    }

    private Disagreements disagreements() {
        Disagreements mine = disagreements;
        if (mine == null) {
            mine = new Disagreements(
                    context.loop(), context.call(), facts.lookup().isOfTransaction());
            disagreements = mine;
        }
        return mine;
    }

    /** Returns whether a lookup has found nothing so far. */
    boolean foundNothing() {
        return decision.foundNothing();
    }

    /** Returns the nodes that found no transaction. */
    List<Upstream> foundNothingAt() {
        return disagreements == null ? List.of() : disagreements.foundNothingAt();
    }

    /** Returns whether a node gave a result, or an error that says more than that it lacks the data of the call. */
    boolean isConclusive() {
        return decision.isConclusive();
    }

    /** Returns whether there are nodes that may be asked again after a wait. */
    boolean hasPassing() {
        return !passing.isEmpty();
    }

    /** Returns whether these nodes did nothing but limit their rate. */
    boolean isPassingLimited() {
        return passingLimited;
    }

    /** Returns the shortest pause that nodes asked for, in nanoseconds; 0 if none did. */
    long retryAfterNanos() {
        return TimeUnit.SECONDS.toNanos(decision.retryAfterSeconds());
    }

    /** Returns the nodes that may be asked again after a wait, and forgets them. */
    List<Upstream> takePassing() {
        List<Upstream> taken = List.copyOf(passing);
        passing.clear();
        passingLimited = true;
        return taken;
    }

    /** Returns whether a connection broke during the last attempt. */
    boolean connectionBroke() {
        return decision.connectionBroke();
    }

    /**
     * Returns the reply to the client if no further attempt begins.
     *
     * @param timeLeft whether the call could still be sent
     */
    RpcReply reply(UpstreamPool pool, boolean timeLeft) {
        RpcReply answer = decision.reply();
        if (answer != null) {
            return answer;
        }
        boolean known = !decision.hasFailed() && pool.allLack(context.call(), context.leastHead());
        return known ? decision.lack() : decision.failure(pool.retryAfterSeconds(), noneUsable(pool, timeLeft));
    }

    private static String noneUsable(UpstreamPool pool, boolean timeLeft) {
        if (!timeLeft) {
            return "no answer in time";
        }
        boolean otherChain = pool.size() > 0
                && pool.upstreams().stream().allMatch(node -> node.status().health() == Health.WRONG_CHAIN);
        return otherChain
                ? "no usable upstream: it " + pool.upstreams().get(0).status().detail()
                : "no usable upstream";
    }

    /**
     * Nodes whose answers to one call another node may contradict: those without the transaction, those without the data of a block that
     * may not exist, and those that refuse the parameters. Once another node gives a result, they learn of it. Confined to the call's event loop.
     */
    private static final class Disagreements {

        private final EventLoop loop;
        private final RpcCall call;
        private final boolean ofTransaction;
        private List<Upstream> empty = List.of();
        private List<Upstream> lacking = List.of();
        private List<Upstream> refusing = List.of();

        /** @param ofTransaction whether the call looks a transaction up by its hash */
        Disagreements(EventLoop loop, RpcCall call, boolean ofTransaction) {
            this.loop = loop;
            this.call = call;
            this.ofTransaction = ofTransaction;
        }

        /** Returns the nodes that answered null to the lookup of a transaction. */
        List<Upstream> foundNothingAt() {
            return empty;
        }

        /** Notes that a node found nothing. */
        void foundNothing(Upstream node) {
            if (ofTransaction) {
                empty = with(empty, node);
            }
        }

        /** Notes that a node lacked the data of a block that the call does not name by its number. */
        void lackedData(Upstream node) {
            lacking = with(lacking, node);
        }

        /** Notes that a node refused the parameters. */
        void refusedParams(Upstream node) {
            refusing = with(refusing, node);
        }

        private static List<Upstream> with(List<Upstream> nodes, Upstream node) {
            List<Upstream> more = new ArrayList<>(nodes);
            more.add(node);
            return more;
        }

        /** Tells the nodes noted before of the answer that ends the call. */
        void answered(Answered answered) {
            if (answered.reply() instanceof RpcReply.Result result) {
                if (!empty.isEmpty()) {
                    foundTransaction(result.value());
                }
                lacking.forEach(node -> node.lackedData(call, 0));
                refusing.forEach(node -> node.refusedParams(call));
            }
        }

        private void foundTransaction(RawJson transaction) {
            long block = TransactionBlock.of(transaction);
            if (block != TransactionBlock.NONE) {
                empty.forEach(node -> node.missedTransaction(loop, call, block));
            }
        }
    }
}
