package io.weir.upstream.pool;

import io.weir.api.NetworkKind;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.metrics.RateLimitedLogger;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.verdict.ErrorClass;
import io.weir.upstream.verdict.ErrorTable;
import io.weir.upstream.verdict.ErrorVerdict;
import io.weir.upstream.verdict.NodeError;
import io.weir.upstream.verdict.RetryPause;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Judge of one node's errors. It decides their meaning, counts them by class, and notes which methods the node does not
 * have. An error that is a refusal or a fault of the node, such as a rate limit in words, becomes the failure of the matching
 * HTTP status. Any other error stays an answer, with its verdict, in the form that clients may see. Thread-safe.
 */
final class AnswerJudge {

    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int SERVER_ERROR = 500;
    private static final int PAYMENT_REQUIRED = 402;

    private static final ErrorVerdict OWN =
            new ErrorVerdict(ErrorClass.EXECUTION_VERDICT, false, ErrorClass.Then.FINAL, "the network's own error");

    private static final ErrorVerdict UNREAD = new ErrorVerdict(
            ErrorClass.CLIENT_MISTAKE,
            false,
            ErrorClass.Then.ELSEWHERE_UNDONE,
            "a call that this node does not understand");

    private static final ErrorVerdict NOT_FOUND_HERE = new ErrorVerdict(
            ErrorClass.LACKS_DATA, true, ErrorClass.Then.ELSEWHERE, "an object that this node does not have");

    /** Seconds without calls for a node that asks to be paid. */
    private static final int HOUR_SECONDS = 3600;

    private static final ErrorTable TABLE = new ErrorTable();

    /** Wordings of one node that are logged. Nodes put numbers into them, and callers cause some. */
    private static final int MAX_WORDINGS = 32;

    private static final int MAX_LOGGED_CHARS = 200;

    private final NetworkKind kind;
    private final MethodCatalogue methods;
    private final Redaction redaction;
    private final NodeCapabilities capabilities;
    private final EnumCounters<ErrorClass> counters;
    private final RateLimitedLogger log = new RateLimitedLogger(LoggerFactory.getLogger(AnswerJudge.class));
    private final String node;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    /**
     * @param kind tells which errors belong to the network itself, and which to one node
     * @param capabilities learn which methods the node lacks
     */
    AnswerJudge(
            NetworkKind kind,
            MethodCatalogue methods,
            Redaction redaction,
            Meters meters,
            String network,
            String upstream,
            NodeCapabilities capabilities) {
        this.kind = kind;
        this.methods = methods;
        this.redaction = redaction;
        this.capabilities = capabilities;
        this.node = "network " + network + ": upstream " + upstream;
        this.counters = new EnumCounters<>(
                meters, Meter.UPSTREAM_ERRORS, ErrorClass.class, ErrorClass::label, network, upstream);
    }

    /** Returns the meaning of an attempt's outcome that is no result. */
    NodeOutcome judge(RpcCall call, NodeOutcome outcome) {
        String method = call.method();
        if (outcome instanceof Failed failed) {
            ErrorClass errorClass = classOf(failed.fault());
            if (errorClass != null) {
                counters.count(errorClass);
            }
            return failed;
        }
        Answered answered = (Answered) outcome;
        RpcReply.Failure failure = (RpcReply.Failure) answered.reply();
        if (isAboutCall(answered.status())
                && kind.isFinalError(method, failure.error().code())) {
            capabilities.has(method);
            counters.count(OWN.errorClass());
            // Not cleaned further: text that looks like a stack trace comes from a contract, not from the node's
            // program.
            RpcError own = redaction.clean(failure.error(), failure.error());
            RpcReply shown = new RpcReply.Failure(own, failure.kind(), failure.retryAfterSeconds());
            return new Answered(shown, answered.status(), OWN);
        }
        NodeError error = NodeError.of(methods.facts(call.method()), call, failure.error(), answered.status());
        ErrorVerdict verdict = TABLE.verdict(error);
        if (isAboutCall(answered.status())) {
            verdict = ofKind(method, failure.error().code(), verdict);
        }
        counters.count(verdict.errorClass());
        if (verdict.errorClass() == ErrorClass.UNSUPPORTED && isOfMethod(error)) {
            capabilities.refused().lacks(method);
        }
        NodeOutcome judged = judged(call, answered, error, verdict);
        if (verdict.errorClass() == ErrorClass.UNKNOWN && methods.knows(method)) {
            logWording(method, ((RpcReply.Failure) ((Answered) judged).reply()).error());
        }
        return judged;
    }

    /** Logs each wording that the table does not know once, so that operators can report it. */
    private void logWording(String method, RpcError error) {
        String message = error.message()
                .substring(0, Math.min(MAX_LOGGED_CHARS, error.message().length()));
        String wording = error.code() + " " + message.replaceAll("0x[0-9a-fA-F]+|[0-9]+", "0");
        if (logged.size() < MAX_WORDINGS && logged.add(wording)) {
            log.warn(node + " answers " + method + " with an error in unknown words: " + error.code() + " " + message);
        }
    }

    /** Returns the meaning that the network's kind gives an error, or else that of the table. */
    private ErrorVerdict ofKind(String method, int code, ErrorVerdict verdict) {
        if (kind.isNotFound(method, code)) {
            return NOT_FOUND_HERE;
        }
        boolean mistake =
                verdict.errorClass() == ErrorClass.CLIENT_MISTAKE || verdict.errorClass() == ErrorClass.UNKNOWN;
        return mistake && kind.isUnread(method, code) ? UNREAD : verdict;
    }

    /** Returns whether errors with this status may be about the call. Some nodes send such errors with 400, 404 or 500. */
    private static boolean isAboutCall(int status) {
        return status < 300 || status == BAD_REQUEST || status == NOT_FOUND || status >= SERVER_ERROR;
    }

    /**
     * Returns the meaning of a probe's outcome. It differs in one point: a rate limit in words does not count against the
     * node.
     */
    NodeOutcome judgeProbe(RpcCall call, NodeOutcome outcome) {
        if (outcome instanceof Answered answered && answered.reply() instanceof RpcReply.Failure failure) {
            NodeError error = NodeError.ofProbe(call, failure.error(), answered.status());
            ErrorVerdict verdict = TABLE.verdict(error);
            if (verdict.errorClass() == ErrorClass.RATE_LIMITED) {
                return judged(call, answered, error, verdict);
            }
        }
        return outcome;
    }

    /**
     * Returns the meaning of a subscription's outcome, with an error as clients may see it. An error says nothing about the
     * method, because it may be about the kind of subscription.
     */
    NodeOutcome judgeSubscription(RpcCall call, NodeOutcome outcome) {
        if (outcome instanceof Answered answered && answered.reply() instanceof RpcReply.Failure failure) {
            NodeError error = NodeError.of(methods.facts(call.method()), call, failure.error(), answered.status());
            ErrorVerdict verdict = TABLE.verdict(error);
            return switch (verdict.errorClass().health()) {
                case ANSWERED, FAULT -> cleaned(answered, error, verdict);
                case THROTTLED, OUT -> judged(call, answered, error, verdict);
            };
        }
        return outcome;
    }

    private Answered cleaned(Answered answered, NodeError parsed, ErrorVerdict verdict) {
        RpcError error = ((RpcReply.Failure) answered.reply()).error();
        RpcError clean = redaction.clean(error, TABLE.clean(parsed, error, verdict));
        return new Answered(RpcReply.failure(clean), answered.status(), verdict);
    }

    private NodeOutcome judged(RpcCall call, Answered answered, NodeError parsed, ErrorVerdict verdict) {
        RpcError error = ((RpcReply.Failure) answered.reply()).error();
        String seen = "error " + error.code();
        return switch (verdict.errorClass().health()) {
            case ANSWERED -> cleaned(answered, parsed, verdict);
            case THROTTLED -> {
                int seconds = RetryPause.seconds(error);
                int preset = error.code() == PAYMENT_REQUIRED ? HOUR_SECONDS : 0;
                yield new Failed(Fault.RATE_LIMITED, Executed.NO, seen, seconds > 0 ? seconds : preset);
            }
            case OUT -> new Failed(Fault.CREDENTIALS, Executed.NO, "refuses our credentials (" + seen + ")", 0);
            case FAULT -> {
                RpcReply said = cleaned(answered, parsed, verdict).reply();
                // Any caller can cause such codes with a method that no node knows.
                boolean counts = methods.knows(call.method());
                yield new Failed(Fault.SERVER_ERROR, Executed.MAYBE, seen, 0, null, counts, (RpcReply.Failure) said);
            }
        };
    }

    /** Returns false if only a parameter, such as a kind of tracer, is not supported. */
    private static boolean isOfMethod(NodeError error) {
        return error.is(-32601) || error.is(-32604) || TABLE.names(error);
    }

    /** Returns null if the fault is not the node's. */
    private static @Nullable ErrorClass classOf(Fault fault) {
        return switch (fault) {
            case RATE_LIMITED -> ErrorClass.RATE_LIMITED;
            case CREDENTIALS -> ErrorClass.CREDENTIALS;
            case TOO_LARGE, CALL_TOO_LARGE -> ErrorClass.TOO_LARGE;
            case CONNECT, DISCONNECTED, TIMEOUT, SERVER_ERROR, BAD_ANSWER -> ErrorClass.NODE_FAULT;
            case STALE_CONNECTION, INTERRUPTED, OVERLOADED, OVER_BUDGET, CLOSED, INTERNAL -> null;
            // These are counted later, after the answer was judged.
            case FALSE_ANSWER, BEHIND, UNVERIFIABLE, UNCHECKED -> null;
        };
    }
}
