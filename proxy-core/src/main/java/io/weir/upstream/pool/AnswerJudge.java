package io.weir.upstream.pool;

import static java.util.Objects.requireNonNull;

import com.codahale.metrics.Counter;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.verdict.ErrorClass;
import io.weir.upstream.verdict.ErrorTable;
import io.weir.upstream.verdict.MethodMemory;
import io.weir.upstream.verdict.NodeError;
import io.weir.upstream.verdict.Verdict;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Says what one node's errors mean, counts them by their class, and remembers which methods the node does not have. An error
 * that is a refusal or a fault of the node, such as a rate limit told in words, becomes the same failure that a status of HTTP
 * would be; any other one stays an answer, with its verdict, in the form in which clients may see it. Thread-safe.
 */
final class AnswerJudge {

    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int PAYMENT_REQUIRED = 402;

    private static final Verdict OWN =
            new Verdict(ErrorClass.EXECUTION_VERDICT, false, ErrorClass.Then.FINAL, "the network's own error");

    /** How long a node is left alone that asks to be paid. */
    private static final int HOUR_SECONDS = 3600;

    private static final ErrorTable TABLE = new ErrorTable();

    /** Which errors are the network's own. */
    @FunctionalInterface
    interface FinalErrors {
        boolean isFinal(String method, int code);
    }

    private final FinalErrors finalErrors;
    private final Redaction redaction;
    private final MethodMemory lacking;
    private final Map<ErrorClass, Counter> counters = new EnumMap<>(ErrorClass.class);

    /**
     * Judges one node.
     *
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    AnswerJudge(
            FinalErrors finalErrors,
            Redaction redaction,
            Meters meters,
            String network,
            String upstream,
            LongSupplier clock) {
        this.finalErrors = finalErrors;
        this.redaction = redaction;
        this.lacking = new MethodMemory(clock);
        for (ErrorClass errorClass : ErrorClass.values()) {
            counters.put(errorClass, meters.counter(Meter.UPSTREAM_ERRORS, network, upstream, errorClass.label()));
        }
    }

    /** Whether the node said lately that it does not have a method. */
    boolean isLacking(String method) {
        return lacking.isLacking(method);
    }

    /** What an attempt's outcome is. */
    NodeOutcome judge(RpcCall call, NodeOutcome outcome) {
        String method = call.method();
        if (outcome instanceof Failed failed) {
            ErrorClass errorClass = classOf(failed.fault());
            if (errorClass != null) {
                count(errorClass);
            }
            return failed;
        }
        Answered answered = (Answered) outcome;
        if (!(answered.reply() instanceof RpcReply.Failure failure)) {
            lacking.has(method);
            return answered;
        }
        if (tellsOfTheCall(answered.status())
                && finalErrors.isFinal(method, failure.error().code())) {
            lacking.has(method);
            count(OWN.errorClass());
            // As it came: what looks like a trace in it is of a contract, not of the node's program.
            return new Answered(redaction.clean(failure), answered.status(), OWN);
        }
        NodeError error = NodeError.of(call, failure.error(), answered.status());
        Verdict verdict = TABLE.verdict(error);
        count(verdict.errorClass());
        if (verdict.errorClass() == ErrorClass.UNSUPPORTED && isOfMethod(error)) {
            lacking.lacks(method);
        }
        return judged(call, answered, error, verdict);
    }

    /** Some nodes send errors that are answers with 400 or 404. */
    private static boolean tellsOfTheCall(int status) {
        return status < 300 || status == BAD_REQUEST || status == NOT_FOUND;
    }

    /** What a probe's outcome is: the same, but that a rate limit told in words says nothing bad of the node. */
    NodeOutcome judgeProbe(RpcCall call, NodeOutcome outcome) {
        if (outcome instanceof Answered answered && answered.reply() instanceof RpcReply.Failure failure) {
            NodeError error = NodeError.ofProbe(call, failure.error(), answered.status());
            Verdict verdict = TABLE.verdict(error);
            if (verdict.errorClass() == ErrorClass.RATE_LIMITED) {
                return judged(call, answered, error, verdict);
            }
        }
        return outcome;
    }

    private NodeOutcome judged(RpcCall call, Answered answered, NodeError looked, Verdict verdict) {
        RpcError error = ((RpcReply.Failure) answered.reply()).error();
        String seen = "error " + error.code();
        return switch (verdict.errorClass().health()) {
            case ANSWERED -> {
                RpcReply clean = RpcReply.failure(TABLE.clean(looked, error, verdict));
                yield new Answered(redaction.clean(clean), answered.status(), verdict);
            }
            case THROTTLED -> {
                int seconds = error.code() == PAYMENT_REQUIRED ? HOUR_SECONDS : 0;
                yield new Failed(Fault.RATE_LIMITED, Executed.NO, seen, seconds);
            }
            case OUT -> new Failed(Fault.CREDENTIALS, Executed.NO, "refuses our credentials (" + seen + ")", 0);
            case FAULT -> {
                Failed failed = new Failed(Fault.SERVER_ERROR, Executed.MAYBE, seen, 0);
                // A caller of a method that nobody knows can bring such codes about at will.
                yield ErrorTable.isKnown(call.method()) ? failed : failed.uncounted();
            }
        };
    }

    /** Not where only a parameter, such as a kind of tracer, is not supported. */
    private static boolean isOfMethod(NodeError error) {
        return error.is(-32601) || error.is(-32604) || TABLE.names(error);
    }

    private void count(ErrorClass errorClass) {
        requireNonNull(counters.get(errorClass)).inc();
    }

    /** Null where the fault is none of the node's. */
    private static @Nullable ErrorClass classOf(Fault fault) {
        return switch (fault) {
            case RATE_LIMITED -> ErrorClass.RATE_LIMITED;
            case CREDENTIALS -> ErrorClass.CREDENTIALS;
            case TOO_LARGE, CALL_TOO_LARGE -> ErrorClass.TOO_LARGE;
            case CONNECT, DISCONNECTED, TIMEOUT, SERVER_ERROR, BAD_ANSWER -> ErrorClass.NODE_FAULT;
            case STALE_CONNECTION, INTERRUPTED, OVERLOADED, NO_ROOM, CLOSED, INTERNAL -> null;
            // Told after the answer was judged.
            case FALSE_ANSWER, UNVERIFIABLE, UNCHECKED -> null;
        };
    }
}
