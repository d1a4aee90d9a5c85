package io.weir.pipeline.plan;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.method.DataKind;
import io.weir.method.MethodFacts;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.verdict.ErrorClass;
import io.weir.upstream.verdict.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Decision after each attempt of one call: whether an outcome ends the call or another node is asked, and which reply the client
 * gets. Of several failures the client gets the most informative one. A node's error about the call itself comes first. Then come
 * nodes that cannot be reached or limit the rate, and last nodes without the method. If every node gave an error, the last one counts. Confined to the call's event loop.
 */
final class RetryDecision {

    /** Consequence of an outcome. */
    enum Step {
        /** The call ends. */
        ANSWER,
        /** A lookup found nothing: a node with a higher head or more history may be asked. */
        ASK_AHEAD,
        /** Another node is asked. */
        MOVE_ON
    }

    private static final RpcReply NOTHING = new RpcReply.Result(RawJson.NULL);

    private final MethodFacts facts;
    private final boolean repeatable;
    private final boolean exists;
    private final boolean validated;
    private @Nullable RpcReply result;
    private @Nullable RpcReply error;
    /** Whether the error is one that the other node may not confirm. */
    private boolean errorIsDoubtful;

    private boolean unknown;
    private @Nullable Failed lastFailed;
    private boolean lacking;
    private boolean onlyRateLimits = true;
    private boolean onlyErrorsOfNodes = true;
    private boolean conclusive;
    private int retryAfterSeconds;

    /**
     * @param repeatable whether a call that may have been executed may be sent again
     * @param exists whether the object of the lookup exists, so that some node must have it
     * @param validated whether the proxy has checked the parameters
     */
    RetryDecision(MethodFacts facts, boolean repeatable, boolean exists, boolean validated) {
        this.validated = validated;
        this.facts = facts;
        this.repeatable = repeatable;
        this.exists = exists;
    }

    /**
     * Decides after a node's answer.
     *
     * @param mayRepeat whether another node may be asked if this one refused the parameters
     */
    Step afterAnswer(Answered answered, boolean mayRepeat) {
        Verdict verdict = answered.verdict();
        boolean lookup = facts.lookup().isLookup();
        if (verdict == null) {
            boolean empty = answered.reply() instanceof RpcReply.Result value
                    && value.value().equals(RawJson.NULL);
            return empty && lookup ? nothing() : finish(answered.reply());
        }
        if (verdict.isNothingFound() && lookup) {
            return nothing();
        }
        if (result != null) {
            return Step.ANSWER;
        }
        if (verdict.is(ErrorClass.UNSUPPORTED)) {
            lacking = true;
            return Step.MOVE_ON;
        }
        onlyRateLimits = false;
        conclusive |= !verdict.is(ErrorClass.LACKS_DATA);
        boolean refusal = refusesParams(answered);
        boolean inUnknownWords = verdict.is(ErrorClass.UNKNOWN);
        if (error == null || (errorIsDoubtful && !refusal && !inUnknownWords)) {
            error = answered.reply();
            errorIsDoubtful = refusal || inUnknownWords;
        }
        if (inUnknownWords) {
            return isFirstUnknown() ? Step.MOVE_ON : Step.ANSWER;
        }
        return (refusal && mayRepeat) || mayMove(verdict.then()) ? Step.MOVE_ON : Step.ANSWER;
    }

    /** Returns whether one other node is to be asked about words that the table does not know. */
    private boolean isFirstUnknown() {
        boolean first = !unknown;
        unknown = true;
        return first && validated && repeatable;
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

    /** Returns whether a node gave a result, or an error that says more than that it lacks the data of the call. */
    boolean isConclusive() {
        return result != null || conclusive;
    }

    /** Returns whether a lookup has found nothing so far. */
    boolean foundNothing() {
        return NOTHING.equals(result);
    }

    private Step nothing() {
        boolean first = result == null;
        result = NOTHING;
        if (first && exists) {
            return Step.MOVE_ON;
        }
        return facts.lookup().isOfTransaction() || (first && facts.lookup().isByHash()) ? Step.ASK_AHEAD : Step.ANSWER;
    }

    private Step finish(RpcReply reply) {
        result = reply;
        return Step.ANSWER;
    }

    /** Decides after an attempt without a usable answer. */
    Step afterFailure(Failed failed) {
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
        return result == null && mayMove(failed.verdict().then()) ? Step.MOVE_ON : Step.ANSWER;
    }

    /** Returns the shortest pause that nodes asked for, in seconds; 0 if none did. */
    int retryAfterSeconds() {
        return retryAfterSeconds;
    }

    /** Returns whether the same node may answer the call a moment later. */
    boolean mayPass(Failed failed) {
        // A call that costs the node much is not repeated there after its error, which is about the call most often.
        boolean costly = facts.executes() || facts.dataKind() == DataKind.TRACES;
        return failed.verdict().isPassing() && !(costly && failed.said() != null);
    }

    private boolean mayMove(Verdict.Then then) {
        return switch (then) {
            case FINAL -> false;
            case ELSEWHERE -> repeatable;
            case ELSEWHERE_UNDONE -> true;
        };
    }

    /** Returns whether a connection broke during the last attempt. */
    boolean connectionBroke() {
        return lastFailed != null
                && (lastFailed.fault() == Fault.DISCONNECTED || lastFailed.fault() == Fault.STALE_CONNECTION);
    }

    /** Returns the node's reply that the client gets, or null if no node gave one. */
    @Nullable
    RpcReply reply() {
        return result != null ? result : error;
    }

    /** Returns whether an attempt ended without an answer. */
    boolean hasFailed() {
        return lastFailed != null;
    }

    /** Returns the failure that the client gets if no node was asked, since each said before that it lacks the data. */
    RpcReply.Failure lack() {
        // In the words of geth, by which clients know that they need an archive.
        String text = switch (facts.dataKind()) {
            case NONE, STATE, TRACES -> "missing trie node: no upstream has the state of this block";
            case HISTORY, LOGS -> "pruned history unavailable: no upstream has it";
        };
        return RpcReply.failure(ErrorCode.INVALID_INPUT.error(text));
    }

    /**
     * Returns the failure that the client gets if no node answered.
     *
     * @param poolRetrySeconds seconds until the pool may be asked again, if every node limits the rate; otherwise 0
     * @param noneUsable why no node was asked, if none was
     */
    RpcReply.Failure failure(int poolRetrySeconds, String noneUsable) {
        int throttled = shorter(retryAfterSeconds, poolRetrySeconds);
        if (onlyRateLimits && throttled > 0) {
            return new RpcReply.Failure(
                    ErrorCode.LIMIT_EXCEEDED.error("every upstream is rate limited"),
                    FailureKind.RATE_LIMITED,
                    throttled);
        }
        if (lastFailed != null) {
            RpcReply.Failure said = lastFailed.said();
            if (said != null && onlyErrorsOfNodes) {
                return said;
            }
            RpcReply.Failure failure = lastFailed.fault().forClient();
            return failure.kind() == FailureKind.UNAVAILABLE && poolRetrySeconds > 0
                    ? new RpcReply.Failure(failure.error(), failure.kind(), poolRetrySeconds)
                    : failure;
        }
        if (lacking) {
            return CallAdmission.doesNotExist(facts.name());
        }
        return RpcReply.unavailable(noneUsable);
    }

    private static int shorter(int seconds, int other) {
        return seconds == 0 ? other : other == 0 ? seconds : Math.min(seconds, other);
    }
}
