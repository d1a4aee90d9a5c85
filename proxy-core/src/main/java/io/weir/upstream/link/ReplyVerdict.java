package io.weir.upstream.link;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.reply.MalformedReplyException;
import io.weir.jsonrpc.reply.ReplyReader;
import io.weir.jsonrpc.reply.ReplyReader.NodeReply;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.verdict.ErrorClass;
import io.weir.upstream.verdict.ErrorTable;
import io.weir.upstream.verdict.RetryPause;
import io.weir.upstream.verdict.Verdict;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Interpretation of an answer. Pure and thread-safe.
 *
 * <p>A status that {@link ErrorTable#ofStatus} knows decides: 401 and 403 (credentials) whatever the body holds, 402 and 429 (rate) and 5xx
 * (a fault of the node) unless the body answers the call. A result does, and so does an error: any one after a 5xx that names no pause,
 * else one about the call. A content coding other than gzip decides too. With any other status the body counts: it must be a JSON-RPC
 * answer with the id of the request. With a status other than 2xx it must not be the result {@code null}. An error may have the id
 * {@code null}, which JSON-RPC defines for calls that a node could not read. It is about the call and no fault of the node. The pause after
 * a rate limit or a 503 is that of {@code Retry-After}, also if the body answers the call. After a rate limit without one it is that which
 * the error names ({@link RetryPause}).
 */
final class ReplyVerdict {

    private static final int SERVICE_UNAVAILABLE = 503;
    /** HTTP status that refuses a request for its size. */
    static final int CONTENT_TOO_LARGE = 413;

    private static final ErrorTable TABLE = new ErrorTable();

    private ReplyVerdict() {}

    /** Returns the meaning of a complete answer to a request of one call or of a batch, as {@link Attempt.Batch#read}. */
    static NodeOutcome of(Attempt attempt, int status, byte[] body, int length, @Nullable Failed verdict) {
        Attempt.Batch batch = attempt.batch();
        if (batch != null) {
            return batch.read(status, body, length, verdict);
        }
        NodeOutcome said = ofBody(status, body, length, attempt.id());
        return verdict == null ? said : ofBoth(verdict, attempt.call(), said, body, length);
    }

    /** Returns the verdict of the head alone, or null if the body counts. */
    static @Nullable Failed ofHead(HttpResponse head) {
        int status = head.status().code();
        ErrorClass ofStatus = ErrorTable.ofStatus(status);
        if (ofStatus == null) {
            return coding(head);
        }
        return switch (ofStatus) {
            case CREDENTIALS -> failed(Fault.CREDENTIALS, Executed.NO, "refuses our credentials (HTTP " + status + ")");
            case RATE_LIMITED ->
                new Failed(Fault.RATE_LIMITED, Executed.NO, "HTTP " + status, pauseOf(head, RetryPause.preset(status)));
            default -> {
                int seconds = status == SERVICE_UNAVAILABLE ? pauseOf(head, 0) : 0;
                yield new Failed(Fault.SERVER_ERROR, Executed.MAYBE, "HTTP " + status, seconds, Flaw.SERVER_ERROR);
            }
        };
    }

    /** Returns whether the body of an answer may say more than its head: what the call comes to, or the pause after a rate limit. */
    static boolean mayBodySayMore(Failed verdict) {
        return verdict.fault() == Fault.SERVER_ERROR || verdict.fault() == Fault.RATE_LIMITED;
    }

    /**
     * Returns the verdict of a complete answer whose head gave one. A result or an error about the call replaces it, and keeps its
     * pause. Any other error replaces it if the head says no more than that the node failed. Otherwise the verdict gets the pause that
     * the body names.
     *
     * @param said the meaning of the body alone
     */
    static NodeOutcome ofBoth(Failed verdict, RpcCall call, NodeOutcome said, byte[] body, int length) {
        return said instanceof Answered answered && isAboutCall(verdict, call, answered)
                ? new Answered(answered.reply(), answered.status(), answered.verdict(), verdict.retryAfterSeconds())
                : withPauseOf(verdict, body, length);
    }

    private static boolean isAboutCall(Failed verdict, RpcCall call, Answered answered) {
        if (!(answered.reply() instanceof RpcReply.Failure failure)) {
            return true;
        }
        boolean failed = verdict.fault() == Fault.SERVER_ERROR && verdict.retryAfterSeconds() == 0;
        return failed || TABLE.verdict(call, failure.error(), answered.status()).effect() == Verdict.Effect.ANSWERED;
    }

    /** Returns the verdict with the pause that the body names, if it is a rate limit and only the body names one. */
    static Failed withPauseOf(Failed verdict, byte[] body, int length) {
        int named = verdict.retryAfterSeconds();
        boolean ofBody = verdict.fault() == Fault.RATE_LIMITED && (named == 0 || named == RetryPause.MAX_SECONDS);
        int seconds = ofBody ? RetryPause.seconds(body, length) : 0;
        return seconds == 0 ? verdict : new Failed(verdict.fault(), verdict.executed(), verdict.detail(), seconds);
    }

    private static @Nullable Failed coding(HttpResponse head) {
        String coding = head.headers().get(HttpHeaderNames.CONTENT_ENCODING);
        boolean plain =
                coding == null || coding.isBlank() || HttpHeaderValues.IDENTITY.contentEqualsIgnoreCase(coding.strip());
        return plain ? null : Failed.of(Flaw.UNREQUESTED_CODING, "a content coding that was not asked for");
    }

    private static int pauseOf(HttpResponse head, int presetSeconds) {
        String value = head.headers().get(HttpHeaderNames.RETRY_AFTER);
        return value == null ? presetSeconds : RetryPause.ofHeader(value, System.currentTimeMillis());
    }

    /** Returns the verdict of a complete HTTP answer whose head gave none. The caller gives the body up. */
    static NodeOutcome ofBody(int status, byte[] body, int length, long id) {
        NodeReply reply;
        try {
            reply = ReplyReader.read(body, 0, length);
        } catch (MalformedReplyException e) {
            return status == CONTENT_TOO_LARGE ? callTooLarge() : ofMalformed(e, "HTTP " + status + " and ");
        }
        boolean well = status >= 200 && status < 300;
        if (!well
                && reply.reply() instanceof RpcReply.Result result
                && result.value().equals(RawJson.NULL)) {
            return status == CONTENT_TOO_LARGE ? callTooLarge() : Failed.of(Flaw.HTTP_STATUS, "HTTP " + status);
        }
        if (!isNameless(reply) && !reply.id().isNumber(id)) {
            return Failed.of(Flaw.WRONG_ID, "HTTP " + status + " and an answer to another id");
        }
        NodeOutcome verdict = ofReply(reply.reply());
        return well || !(verdict instanceof Answered answered) ? verdict : new Answered(answered.reply(), status, null);
    }

    /** Returns the failure of HTTP 413 without a JSON-RPC error. */
    static Failed callTooLarge() {
        return failed(Fault.CALL_TOO_LARGE, Executed.NO, "HTTP " + CONTENT_TOO_LARGE);
    }

    /** Returns whether an answer is an error without an id. */
    static boolean isNameless(NodeReply reply) {
        return reply.id().equals(RawJson.NULL) && reply.reply() instanceof RpcReply.Failure;
    }

    /** Returns the verdict of a well-formed answer to the call. */
    static NodeOutcome ofReply(RpcReply reply) {
        return reply instanceof RpcReply.Failure failure
                        && ErrorTable.isRateLimit(failure.error().code())
                ? new Failed(
                        Fault.RATE_LIMITED,
                        Executed.NO,
                        "error " + failure.error().code(),
                        RetryPause.ofRateLimit(failure.error()))
                : new Answered(reply);
    }

    /**
     * Returns the verdict of a malformed answer.
     *
     * @param seen prefix of the detail
     */
    static Failed ofMalformed(MalformedReplyException e, String seen) {
        Flaw flaw = switch (e.reason()) {
            case NOT_JSON -> Flaw.NOT_JSON;
            case TRUNCATED -> Flaw.TRUNCATED;
            case TRAILING_BYTES -> Flaw.TRAILING_BYTES;
            case TOO_DEEP -> Flaw.TOO_DEEP;
            case TOO_MANY -> Flaw.TOO_MANY;
            case NOT_AN_OBJECT -> Flaw.NOT_AN_OBJECT;
            case BAD_ID -> Flaw.BAD_ID;
            case DUPLICATE_MEMBER -> Flaw.DUPLICATE_MEMBER;
            case BOTH_RESULT_AND_ERROR -> Flaw.BOTH_RESULT_AND_ERROR;
            case NEITHER_RESULT_NOR_ERROR -> Flaw.NEITHER_RESULT_NOR_ERROR;
            case BAD_ERROR -> Flaw.BAD_ERROR;
        };
        String words = flaw.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return Failed.of(flaw, seen + "no JSON-RPC answer: " + words);
    }

    static Failed tooLarge() {
        return Failed.of(Flaw.TOO_LARGE, "the answer is larger than allowed");
    }

    /** Returns the failure of an answer without budget. It is the proxy's and not the node's. */
    static Failed overBudget() {
        return failed(Fault.OVER_BUDGET, Executed.MAYBE, "no room for the answer: too many bytes are in flight");
    }

    /** Returns the failure of a call without any answer. */
    static Failed failed(Fault fault, Executed executed, String detail) {
        return new Failed(fault, executed, detail, 0);
    }
}
