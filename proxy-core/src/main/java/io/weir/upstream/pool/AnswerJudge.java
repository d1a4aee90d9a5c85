package io.weir.upstream.pool;

import io.weir.api.NetworkKind;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.metrics.RateLimitedLogger;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.verdict.ErrorClass;
import io.weir.upstream.verdict.ErrorTable;
import io.weir.upstream.verdict.NodeError;
import io.weir.upstream.verdict.RetryPause;
import io.weir.upstream.verdict.Verdict;
import io.weir.upstream.verdict.Verdict.Lack;
import io.weir.upstream.verdict.Verdict.Then;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.LoggerFactory;

/**
 * Judge of one node's errors: it gives each its {@link Verdict}, and the form that clients may see. An error that is a refusal or a fault
 * of the node, such as a rate limit in words, becomes the failure of the matching HTTP status. Any other error stays an answer.
 * Thread-safe.
 */
final class AnswerJudge {

    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int SERVER_ERROR = 500;

    private static final Verdict OWN =
            Verdict.ofError(ErrorClass.EXECUTION_VERDICT, Lack.NOTHING, Then.FINAL, Verdict.OF_NETWORK);

    private static final Verdict UNREAD = Verdict.ofError(
            ErrorClass.CLIENT_MISTAKE,
            Lack.NOTHING,
            Then.ELSEWHERE_UNDONE,
            "a call that this node does not understand");

    private static final Verdict NOT_FOUND_HERE = Verdict.ofError(
            ErrorClass.LACKS_DATA, Lack.OBJECT, Then.ELSEWHERE, "an object that this node does not have");

    private static final ErrorTable TABLE = new ErrorTable();

    /** Wordings of one node that are logged. Nodes put numbers into them, and callers cause some. */
    private static final int MAX_WORDINGS = 32;

    private static final int MAX_LOGGED_CHARS = 200;

    private final NetworkKind kind;
    private final MethodCatalogue methods;
    private final Redaction redaction;
    private final RateLimitedLogger log = new RateLimitedLogger(LoggerFactory.getLogger(AnswerJudge.class));
    private final String node;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    /** @param kind tells which errors belong to the network itself, and which to one node */
    AnswerJudge(NetworkKind kind, MethodCatalogue methods, Redaction redaction, String network, String upstream) {
        this.kind = kind;
        this.methods = methods;
        this.redaction = redaction;
        this.node = "network " + network + ": upstream " + upstream;
    }

    /** Returns the outcome of an attempt with its meaning. */
    NodeOutcome judge(RpcCall call, NodeOutcome outcome) {
        if (!(outcome instanceof Answered answered) || !(answered.reply() instanceof RpcReply.Failure failure)) {
            return outcome;
        }
        String method = call.method();
        if (isAboutCall(answered.status())
                && kind.isFinalError(method, failure.error().code())) {
            // Not cleaned further: text that looks like a stack trace comes from a contract, not from the node's
            // program.
            RpcError own = redaction.clean(failure.error(), failure.error());
            RpcReply shown = new RpcReply.Failure(own, failure.kind(), failure.retryAfterSeconds());
            return new Answered(shown, answered.status(), OWN);
        }
        NodeError error = NodeError.of(methods.facts(method), call, failure.error(), answered.status());
        Verdict verdict = TABLE.verdict(error);
        if (isAboutCall(answered.status())) {
            verdict = ofKind(method, failure.error().code(), verdict);
        }
        NodeOutcome judged = judged(call, answered, error, verdict);
        if (verdict.is(ErrorClass.UNKNOWN) && methods.knows(method)) {
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
    private Verdict ofKind(String method, int code, Verdict verdict) {
        if (kind.isNotFound(method, code)) {
            return NOT_FOUND_HERE;
        }
        boolean mistake = verdict.is(ErrorClass.CLIENT_MISTAKE) || verdict.is(ErrorClass.UNKNOWN);
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
            Verdict verdict = TABLE.verdict(error);
            if (verdict.is(ErrorClass.RATE_LIMITED)) {
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
            Verdict verdict = TABLE.verdict(error);
            return switch (verdict.effect()) {
                case NONE, ANSWERED, FAULT -> cleaned(answered, error, verdict);
                case THROTTLED, OUT -> judged(call, answered, error, verdict);
            };
        }
        return outcome;
    }

    private Answered cleaned(Answered answered, NodeError parsed, Verdict verdict) {
        RpcError error = ((RpcReply.Failure) answered.reply()).error();
        RpcError clean = redaction.clean(error, TABLE.clean(parsed, error, verdict));
        return new Answered(RpcReply.failure(clean), answered.status(), verdict);
    }

    private NodeOutcome judged(RpcCall call, Answered answered, NodeError parsed, Verdict verdict) {
        RpcError error = ((RpcReply.Failure) answered.reply()).error();
        String seen = "error " + error.code();
        return switch (verdict.effect()) {
            case NONE, ANSWERED -> cleaned(answered, parsed, verdict);
            case THROTTLED -> new Failed(Fault.RATE_LIMITED, Executed.NO, seen, RetryPause.ofRateLimit(error));
            case OUT -> new Failed(Fault.CREDENTIALS, Executed.NO, "refuses our credentials (" + seen + ")", 0);
            case FAULT -> {
                RpcReply said = cleaned(answered, parsed, verdict).reply();
                // Any caller can cause such codes with a method that no node knows.
                boolean counts = methods.knows(call.method());
                yield new Failed(Fault.SERVER_ERROR, Executed.MAYBE, seen, 0, null, counts, (RpcReply.Failure) said);
            }
        };
    }
}
