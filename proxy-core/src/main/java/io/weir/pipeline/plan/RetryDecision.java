package io.weir.pipeline.plan;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.method.MethodFacts;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.verdict.ErrorClass;
import io.weir.upstream.verdict.ErrorClass.View;
import io.weir.upstream.verdict.ErrorVerdict;
import org.jspecify.annotations.Nullable;

/**
 * What the attempts of one call have found so far: whether an outcome ends the call, or another node is to be asked, and what
 * the client is told in the end. Of several failures it is told the one that says most: what a node said of the call itself,
 * before that nodes could not be reached or are rate limited, before that nodes do not have the method. Confined to the call's
 * event loop.
 */
final class RetryDecision {

    /** What follows from an outcome. */
    enum Step {
        /** The call is answered with what was found. */
        ANSWER,
        /** A lookup found nothing: a node that is ahead of this one, or keeps more, may be asked. */
        ASK_AHEAD,
        /** Another node is asked. */
        MOVE_ON
    }

    private static final RpcReply NOTHING = new RpcReply.Result(RawJson.NULL);

    private final MethodFacts facts;
    private final boolean repeatable;
    private final boolean exists;
    private final boolean validated;
    private @Nullable RpcReply found;
    private @Nullable RpcReply told;
    private boolean refused;
    private @Nullable Failed lastFailed;
    private boolean lacking;
    private boolean onlyRateLimits = true;
    private int retryAfterSeconds;

    /**
     * Begins with nothing.
     *
     * @param repeatable whether a call that may have been carried out may be sent again
     * @param exists whether what is looked up exists, so that another node must have it
     * @param validated whether the parameters were found to be as the method wants them
     */
    RetryDecision(MethodFacts facts, boolean repeatable, boolean exists, boolean validated) {
        this.validated = validated;
        this.facts = facts;
        this.repeatable = repeatable;
        this.exists = exists;
    }

    /**
     * Takes in what a node answered.
     *
     * @param mayRepeat whether another node may be asked if this one refused the parameters
     */
    Step take(Answered answered, boolean mayRepeat) {
        ErrorVerdict verdict = answered.verdict();
        boolean lookup = facts.lookup().isLookup();
        if (verdict == null) {
            boolean empty = answered.reply() instanceof RpcReply.Result result
                    && result.value().equals(RawJson.NULL);
            return empty && lookup ? nothing() : finish(answered.reply());
        }
        if (verdict.nothingFound() && lookup) {
            return nothing();
        }
        if (found != null) {
            return Step.ANSWER;
        }
        if (verdict.errorClass().view() == View.NOT_FOUND) {
            lacking = true;
            return Step.MOVE_ON;
        }
        onlyRateLimits = false;
        boolean refusal = isRefusalOfParams(answered);
        if (told == null || (refused && !refusal)) {
            told = answered.reply();
            refused = refusal;
        }
        return (refusal && mayRepeat) || mayMove(verdict.elsewhere()) ? Step.MOVE_ON : Step.ANSWER;
    }

    /** Whether a node says of parameters that were checked that they are invalid: another node may take them. */
    boolean isRefusalOfParams(Answered answered) {
        ErrorVerdict verdict = answered.verdict();
        return validated
                && repeatable
                && verdict != null
                && verdict.isMistakeByCode()
                && answered.reply() instanceof RpcReply.Failure failure
                && failure.error().code() == ErrorCode.INVALID_PARAMS.code();
    }

    /** Whether a lookup has found nothing so far. */
    boolean isNothing() {
        return NOTHING.equals(found);
    }

    private Step nothing() {
        boolean first = found == null;
        found = NOTHING;
        if (first && exists) {
            return Step.MOVE_ON;
        }
        return facts.lookup().isOfTransaction() || (first && facts.lookup().isByHash()) ? Step.ASK_AHEAD : Step.ANSWER;
    }

    private Step finish(RpcReply reply) {
        found = reply;
        return Step.ANSWER;
    }

    /** Takes in that a node gave no usable answer. */
    Step take(Failed failed) {
        if (lastFailed == null || failed.fault() != Fault.UNVERIFIABLE) {
            // What may be answered another time says more than what never will be.
            lastFailed = failed;
        }
        if (failed.fault() == Fault.RATE_LIMITED) {
            retryAfterSeconds = shorter(retryAfterSeconds, failed.retryAfterSeconds());
        } else {
            onlyRateLimits = false;
        }
        boolean may = found == null && !endsAll(failed.fault()) && (repeatable || failed.executed() == Executed.NO);
        return may ? Step.MOVE_ON : Step.ANSWER;
    }

    /** Whether it would be the same with any node. */
    private static boolean endsAll(Fault fault) {
        return fault == Fault.TOO_LARGE || fault == Fault.OVER_BUDGET || fault == Fault.UNCHECKED;
    }

    private boolean mayMove(ErrorClass.Then then) {
        return switch (then) {
            case FINAL -> false;
            case ELSEWHERE -> repeatable;
            case ELSEWHERE_UNDONE -> true;
        };
    }

    /** Whether the last outcome was that a connection broke under the call. */
    boolean brokeOff() {
        return lastFailed != null
                && (lastFailed.fault() == Fault.DISCONNECTED || lastFailed.fault() == Fault.STALE_CONNECTION);
    }

    /** What a node answered that the client is told, or null where none did. */
    @Nullable
    RpcReply answer() {
        return found != null ? found : told;
    }

    /**
     * What the client is told where no node answered.
     *
     * @param poolRetrySeconds when the pool may be asked again, where all of it is rate limited; else 0
     * @param timeLeft whether the call could still be sent
     */
    RpcReply.Failure failure(int poolRetrySeconds, boolean timeLeft) {
        int throttled = shorter(retryAfterSeconds, poolRetrySeconds);
        if (onlyRateLimits && throttled > 0) {
            return new RpcReply.Failure(
                    ErrorCode.LIMIT_EXCEEDED.error("every upstream is rate limited"),
                    FailureKind.RATE_LIMITED,
                    throttled);
        }
        if (lastFailed != null) {
            return failure(lastFailed.fault());
        }
        if (lacking) {
            return PolicyStage.unknown(facts.name());
        }
        return RpcReply.unavailable(timeLeft ? "no usable upstream" : "no answer in time");
    }

    private static RpcReply.Failure failure(Fault fault) {
        // Errors that clients do not repeat: they would get them again.
        return switch (fault) {
            case TOO_LARGE ->
                RpcReply.failure(ErrorCode.INVALID_INPUT.error("the result is larger than this proxy passes on"));
            case CALL_TOO_LARGE ->
                RpcReply.failure(ErrorCode.INVALID_INPUT.error("the call asks for more than an upstream gives"));
            case OVER_BUDGET -> RpcReply.unavailable("overloaded: no room for the answer");
            case UNCHECKED -> RpcReply.unavailable("overloaded: the answer could not be verified in time");
            case UNVERIFIABLE ->
                RpcReply.failure(ErrorCode.INVALID_INPUT.error("no upstream's answer can be verified"));
            default -> RpcReply.unavailable("no upstream could answer: " + reason(fault));
        };
    }

    private static int shorter(int seconds, int other) {
        return seconds == 0 ? other : other == 0 ? seconds : Math.min(seconds, other);
    }

    private static String reason(Fault fault) {
        return switch (fault) {
            case CONNECT, CLOSED -> "not reachable";
            case DISCONNECTED, STALE_CONNECTION, INTERRUPTED -> "the connection broke";
            case TIMEOUT -> "no answer in time";
            case RATE_LIMITED -> "rate limited";
            case CREDENTIALS -> "refused";
            case SERVER_ERROR -> "server error";
            case BAD_ANSWER, TOO_LARGE, CALL_TOO_LARGE -> "no valid answer";
            case OVERLOADED -> "too many calls are waiting";
            case OVER_BUDGET -> "no room for the answer";
            case FALSE_ANSWER, UNVERIFIABLE -> "what was answered is not proven";
            case UNCHECKED -> "no room to verify the answer";
            case INTERNAL -> "the answer could not be read";
        };
    }
}
