package io.weir.pipeline.plan;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.method.DataKind;
import io.weir.method.LookupKind;
import io.weir.method.MethodFacts;
import io.weir.pipeline.CallContext;
import io.weir.upstream.LatencyClass;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool.TransactionBlock;
import io.weir.upstream.verdict.ErrorClass;
import io.weir.upstream.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Record of one call: the outcomes of its attempts that were no plain result, and the rules of what the call does next. The rules are
 * pure: they read the record and change nothing. Most calls need no record. Nodes whose answers another
 * node contradicts learn of that from it. Confined to the call's event loop.
 *
 * <p>Of several failures the client gets the most informative one. A node's error about the call itself comes first. Then come nodes that
 * cannot be reached or limit the rate, and last nodes without the method. If every node gave an error, the last one counts.
 */
final class CallRecord {

    /** Attempts of which each may have harmed its node, as a call that makes nodes fail does. */
    private static final int MAX_ATTEMPTS = 4;

    /** The same for lookups, which harm no node. */
    private static final int MAX_LOOKUPS = 16;

    private static final RpcReply NOTHING = new RpcReply.Result(RawJson.NULL);

    private final MethodFacts facts;
    private final boolean repeatable;
    private final boolean exists;
    private final boolean validated;
    private final boolean ofFinalTag;
    private @Nullable RpcReply result;
    private @Nullable RpcReply doubtful;
    /** Whether the result in doubt is false if the chain has the rules of its settings. */
    private boolean isRefutable;

    private int doubts;
    private @Nullable RpcReply error;
    /** Whether the error is one that the other node may not confirm. */
    private boolean errorIsDoubtful;

    private @Nullable Failed lastFailed;
    private boolean lacksMethod;
    private boolean onlyRateLimits = true;
    private boolean onlyErrorsOfNodes = true;
    private boolean conclusive;
    private boolean hadConnection;
    private int retryAfterSeconds;
    private int nothings;
    private int unknowns;
    private int uncounted;
    /** Nodes whose failure may pass, since they were taken last. */
    private final List<Upstream> passing = new ArrayList<>(0);

    private boolean passingLimited = true;

    /** Nodes that answered null to the lookup of a transaction. */
    private List<Upstream> empty = List.of();
    /** Nodes without the data of a block that may not exist. */
    private List<Upstream> lacking = List.of();
    /** Nodes that refused the parameters. */
    private List<Upstream> refusing = List.of();

    /**
     * @param facts of the call's method
     * @param repeatable whether a call that may have been executed may be sent again
     * @param exists whether the object of the lookup exists, so that some node must have it
     * @param validated whether the proxy has checked the parameters
     * @param ofFinalTag whether the call names its block as {@code safe} or {@code finalized}; nodes without these tags use any words
     */
    CallRecord(MethodFacts facts, boolean repeatable, boolean exists, boolean validated, boolean ofFinalTag) {
        this.facts = facts;
        this.repeatable = repeatable;
        this.exists = exists;
        this.validated = validated;
        this.ofFinalTag = ofFinalTag;
    }

    /** Adds an outcome of an attempt at a node. */
    void add(Upstream upstream, NodeOutcome outcome) {
        if (outcome instanceof Answered answered) {
            addAnswer(answered);
        } else {
            addFailure(upstream, (Failed) outcome);
        }
    }

    private void addAnswer(Answered answered) {
        Verdict verdict = answered.verdict();
        if (isNothing(answered)) {
            nothings++;
            result = NOTHING;
        } else if (verdict == null) {
            result = answered.reply();
        }
        if (verdict == null) {
            return;
        }
        if (verdict.isDoubt()) {
            // Of two the later one counts, and nobody waits for a third.
            doubtful = answered.reply();
            isRefutable = verdict.equals(Verdict.DOUBTFUL);
            doubts++;
            conclusive = true;
            return;
        }
        if (verdict.is(ErrorClass.LACKS_DATA) || verdict.is(ErrorClass.UNSUPPORTED)) {
            // A node that lacks what the call needs could not have answered.
            uncounted++;
        }
        if (result != null) {
            return;
        }
        if (verdict.is(ErrorClass.UNSUPPORTED)) {
            lacksMethod = true;
            return;
        }
        onlyRateLimits = false;
        conclusive |= !verdict.is(ErrorClass.LACKS_DATA);
        boolean inUnknownWords = verdict.is(ErrorClass.UNKNOWN);
        boolean isDoubtful = inUnknownWords || refusesParams(answered);
        if (error == null || (errorIsDoubtful && !isDoubtful)) {
            error = answered.reply();
            errorIsDoubtful = isDoubtful;
        }
        unknowns += inUnknownWords ? 1 : 0;
    }

    private void addFailure(Upstream upstream, Failed failed) {
        if (lastFailed == null || failed.fault() != Fault.UNVERIFIABLE) {
            // A failure that may pass says more than one that never will.
            lastFailed = failed;
        }
        onlyErrorsOfNodes &= failed.said() != null;
        if (failed.fault() == Fault.RATE_LIMITED) {
            retryAfterSeconds = shorter(retryAfterSeconds, failed.retryAfterSeconds());
        } else {
            onlyRateLimits = false;
        }
        if (!(ofFinalTag && failed.said() != null) && mayPass(failed)) {
            passing.add(upstream);
            passingLimited &= failed.fault() == Fault.RATE_LIMITED;
        }
        // A connection that cannot be made costs nobody anything.
        hadConnection |= failed.fault() != Fault.CONNECT;
        if (failed.executed() == Executed.NO || failed.fault() == Fault.TIMEOUT) {
            // Time bounds these attempts; and the next node cannot suffer from what the call did to this one.
            uncounted++;
        }
    }

    /** Returns whether the same node may answer the call a moment later. */
    private boolean mayPass(Failed failed) {
        // A call that costs the node much is not repeated there after its error, which is about the call most often.
        boolean costly = facts.executes() || facts.dataKind() == DataKind.TRACES;
        return failed.verdict().isPassing() && !(costly && failed.said() != null);
    }

    /** Returns whether a lookup finds nothing by this answer: by the result {@code null}, or by an error that says the same. */
    boolean isNothing(Answered answered) {
        Verdict verdict = answered.verdict();
        boolean empty = verdict == null
                ? answered.reply() instanceof RpcReply.Result value
                        && value.value().equals(RawJson.NULL)
                : verdict.isNothingFound();
        return empty && facts.lookup().isLookup();
    }

    /** Returns whether a node refuses parameters that the proxy has checked: another node may take them. */
    boolean refusesParams(Answered answered) {
        Verdict verdict = answered.verdict();
        return validated
                && repeatable
                && verdict != null
                && verdict.isMistakeByCode()
                && answered.reply() instanceof RpcReply.Failure failure
                && failure.error().code() == ErrorCode.INVALID_PARAMS.code();
    }

    boolean isOfFinalTag() {
        return ofFinalTag;
    }

    /**
     * Returns the node's reply that the client gets, or null if no node gave one.
     *
     * @param mayDoubt whether the chain may have other rules than those of its settings
     */
    @Nullable
    RpcReply reply(boolean mayDoubt) {
        RpcReply inDoubt = mayDoubt || !isRefutable ? doubtful : null;
        // A node that finds nothing may lag.
        return inDoubt != null && (result == null || nothings > 0) ? inDoubt : result != null ? result : error;
    }

    int doubts() {
        return doubts;
    }

    int nothings() {
        return nothings;
    }

    /** Returns whether a node gave a result, or an error that says more than that it lacks the data of the call. */
    boolean isConclusive() {
        return result != null || conclusive;
    }

    /** Returns whether an attempt ended without an answer. */
    boolean hasFailed() {
        return lastFailed != null;
    }

    /** Returns the shortest pause that nodes asked for, in nanoseconds; 0 if none did. */
    long retryAfterNanos() {
        return TimeUnit.SECONDS.toNanos(retryAfterSeconds);
    }

    /** Returns whether there are nodes that may be asked again after a wait. */
    boolean hasPassing() {
        return !passing.isEmpty();
    }

    /** Returns whether these nodes did nothing but limit their rate. */
    boolean isPassingLimited() {
        return passingLimited;
    }

    /** Returns the nodes that may be asked again after a wait, and forgets them. */
    List<Upstream> takePassing() {
        List<Upstream> taken = List.copyOf(passing);
        passing.clear();
        passingLimited = true;
        return taken;
    }

    /** Returns the nodes that answered null to the lookup of a transaction. */
    List<Upstream> foundNothingAt() {
        return empty;
    }

    /** Notes that a node found nothing. */
    void foundNothing(Upstream node) {
        if (facts.lookup().isOfTransaction()) {
            empty = with(empty, node);
        }
    }

    /** Notes that a node lacked the data of a block that the call does not name by its number. */
    void mayHaveLacked(Upstream node) {
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

    /** Tells the nodes whose answers another node's result contradicts of that. */
    void contradicted(CallContext context, Answered answered) {
        if (!(answered.reply() instanceof RpcReply.Result result)) {
            return;
        }
        long block = empty.isEmpty() ? TransactionBlock.NONE : TransactionBlock.of(result.value());
        if (block != TransactionBlock.NONE) {
            empty.forEach(node -> node.missedTransaction(context.loop(), context.call(), block));
        }
        lacking.forEach(node -> node.lackedData(context.call(), 0));
        refusing.forEach(node -> node.refusedParams(context.call()));
    }

    /** Next step of a call. */
    enum Next {
        /** The client gets the reply. */
        ANSWER,
        /** Another node is asked. */
        ANOTHER,
        /** A lookup found nothing: a node with a higher head or more history may be asked. */
        AHEAD,
        /** A lookup found nothing and the check of that failed: one more node may check it. */
        CHECK
    }

    /**
     * Returns the next step after an outcome that the record has.
     *
     * @param mayRepeat whether another node may be asked if this one refused the parameters, or gave the first result in doubt
     */
    Next after(NodeOutcome outcome, boolean mayRepeat) {
        return outcome instanceof Answered answered ? afterAnswer(answered, mayRepeat) : afterFailure((Failed) outcome);
    }

    private Next afterAnswer(Answered answered, boolean mayRepeat) {
        Verdict verdict = answered.verdict();
        if (verdict != null && verdict.isDoubt()) {
            return mayRepeat ? Next.ANOTHER : Next.ANSWER;
        }
        if (isNothing(answered)) {
            return afterNothing();
        }
        if (verdict == null || result != null) {
            return Next.ANSWER;
        }
        if (verdict.is(ErrorClass.UNKNOWN)) {
            // One other node is asked about words that the table does not know.
            boolean first = unknowns == 1;
            return first && validated && repeatable ? Next.ANOTHER : Next.ANSWER;
        }
        boolean mayMove = (mayRepeat && refusesParams(answered)) || mayMove(verdict);
        return mayMove ? Next.ANOTHER : Next.ANSWER;
    }

    private Next afterNothing() {
        boolean first = nothings == 1;
        if (first && exists) {
            return Next.ANOTHER;
        }
        LookupKind lookup = facts.lookup();
        return lookup.isOfTransaction() || (first && lookup.isByHash()) ? Next.AHEAD : Next.ANSWER;
    }

    private Next afterFailure(Failed failed) {
        if (nothings > 0) {
            return facts.lookup().isOfTransaction() ? Next.CHECK : Next.ANSWER;
        }
        return result == null && mayMove(failed.verdict()) ? Next.ANOTHER : Next.ANSWER;
    }

    private boolean mayMove(Verdict verdict) {
        return switch (verdict.then()) {
            case FINAL -> false;
            case ELSEWHERE -> repeatable;
            case ELSEWHERE_UNDONE -> true;
        };
    }

    /**
     * Returns whether another attempt may begin.
     *
     * @param begun the number of attempts, apart from those over a fresh connection to the same node
     */
    boolean mayTry(int begun) {
        boolean lookup = repeatable && LatencyClass.of(facts) == LatencyClass.LOOKUP;
        return begun - uncounted < (lookup ? MAX_LOOKUPS : MAX_ATTEMPTS);
    }

    /** Returns whether the next attempt follows a failed one, so that the budget of retries pays for it. */
    boolean isRetry() {
        return hadConnection;
    }

    /** Returns whether a node may be asked once more over a fresh connection, because the last attempt lost its connection. */
    boolean mayAskAnew() {
        return repeatable
                && lastFailed != null
                && (lastFailed.fault() == Fault.DISCONNECTED || lastFailed.fault() == Fault.STALE_CONNECTION);
    }

    /**
     * Returns the failure that the client gets if no node gave a reply and no further attempt begins.
     *
     * @param allLack whether each node said before that it lacks the data
     * @param poolRetrySeconds seconds until the pool may be asked again, if every node limits the rate; otherwise 0
     * @param noneUsable why no node was asked, if none was
     */
    RpcReply.Failure failure(boolean allLack, int poolRetrySeconds, String noneUsable) {
        if (lastFailed == null && allLack) {
            return lack();
        }
        int throttled = shorter(retryAfterSeconds, poolRetrySeconds);
        if (onlyRateLimits && throttled > 0) {
            return new RpcReply.Failure(
                    ErrorCode.LIMIT_EXCEEDED.error("every upstream is rate limited"),
                    FailureKind.RATE_LIMITED,
                    throttled);
        }
        if (lastFailed == null) {
            return lacksMethod ? MethodPlan.doesNotExist(facts.name()) : RpcReply.unavailable(noneUsable);
        }
        RpcReply.Failure said = lastFailed.said();
        if (said != null && onlyErrorsOfNodes) {
            return said;
        }
        RpcReply.Failure failure = lastFailed.fault().forClient();
        return failure.kind() == FailureKind.UNAVAILABLE && poolRetrySeconds > 0
                ? new RpcReply.Failure(failure.error(), failure.kind(), poolRetrySeconds)
                : failure;
    }

    private RpcReply.Failure lack() {
        // In the words of geth, by which clients know that they need an archive.
        String text = switch (facts.dataKind()) {
            case NONE, STATE, TRACES -> "missing trie node: no upstream has the state of this block";
            case HISTORY, LOGS -> "pruned history unavailable: no upstream has it";
        };
        return RpcReply.failure(ErrorCode.INVALID_INPUT.error(text));
    }

    /** Returns the shorter of two pauses, of which 0 is none. */
    private static int shorter(int seconds, int other) {
        return seconds == 0 ? other : other == 0 ? seconds : Math.min(seconds, other);
    }
}
