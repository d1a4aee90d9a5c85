package io.weir.upstream.http;

import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.weir.jsonrpc.MalformedReplyException;
import io.weir.jsonrpc.NodeReply;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.ReplyReader;
import io.weir.jsonrpc.RpcReply;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.Date;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Says what an HTTP answer means. Pure and thread-safe.
 *
 * <p>Some statuses are verdicts whatever the body holds: 401 and 403 (credentials), 402 and 429 (rate), 5xx (a fault of the
 * node, and so is a coding that was not asked for). With any other status the body counts: a JSON-RPC answer under the id
 * asked; with a status that is not 2xx, only an error, which some nodes send with 400 or 404. An error may stand under the id
 * {@code null}, as JSON-RPC has it for calls that a node could not read: it is about the call, and no fault of the node.
 */
final class ReplyVerdict {

    /** How long a node is left alone that asks to be paid and does not say when; also the longest time that is believed. */
    static final int HOUR_SECONDS = 3600;

    private final ReplyReader reader = new ReplyReader();

    /** The verdict of the head alone, or null where the body counts. */
    @Nullable
    Failed ofHead(HttpResponse head) {
        int status = head.status().code();
        return switch (status) {
            case 401, 403 -> failed(Fault.CREDENTIALS, Executed.NO, "refuses our credentials (HTTP " + status + ")", 0);
            case 402 -> rateLimited(head, HOUR_SECONDS);
            case 429 -> rateLimited(head, 0);
            default -> status >= 500 ? failed(Fault.SERVER_ERROR, Executed.MAYBE, "HTTP " + status, 0) : coding(head);
        };
    }

    private static @Nullable Failed coding(HttpResponse head) {
        String coding = head.headers().get(HttpHeaderNames.CONTENT_ENCODING);
        boolean plain = coding == null || HttpHeaderValues.IDENTITY.contentEqualsIgnoreCase(coding.strip());
        return plain ? null : bad("a content coding that was not asked for");
    }

    private static Failed rateLimited(HttpResponse head, int presetSeconds) {
        String value = head.headers().get(HttpHeaderNames.RETRY_AFTER);
        int seconds = value == null ? presetSeconds : retryAfterSeconds(value, System.currentTimeMillis());
        return failed(Fault.RATE_LIMITED, Executed.NO, "HTTP " + head.status().code(), seconds);
    }

    /** Reads seconds or a date; 0 where it is neither. */
    static int retryAfterSeconds(String value, long nowMillis) {
        String plain = value.strip();
        if (!plain.isEmpty() && plain.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return plain.length() > 4 ? HOUR_SECONDS : Math.min(Integer.parseInt(plain), HOUR_SECONDS);
        }
        Date date = DateFormatter.parseHttpDate(plain);
        if (date == null) {
            return 0;
        }
        long seconds = TimeUnit.MILLISECONDS.toSeconds(date.toInstant().toEpochMilli() - nowMillis + 999);
        return (int) Math.max(0, Math.min(seconds, HOUR_SECONDS));
    }

    /**
     * The verdict of a whole answer whose head gave none.
     *
     * @param body an array that begins with the body and that the caller gives up
     * @param id what was asked under
     */
    NodeOutcome ofBody(int status, byte[] body, int length, long id) {
        NodeReply reply;
        try {
            reply = reader.read(body, 0, length);
        } catch (MalformedReplyException e) {
            return bad("HTTP " + status + " and no JSON-RPC answer: "
                    + e.reason().name().toLowerCase(Locale.ROOT).replace('_', ' '));
        }
        boolean well = status >= 200 && status < 300;
        if (!well && !(reply.reply() instanceof RpcReply.Failure)) {
            return bad("HTTP " + status);
        }
        boolean nameless = reply.id().equals(RawJson.NULL) && reply.reply() instanceof RpcReply.Failure;
        if (!nameless && !reply.id().equals(RawJson.of(Long.toString(id)))) {
            return bad("HTTP " + status + " and an answer to another id");
        }
        return new Answered(reply.reply());
    }

    static Failed bad(String detail) {
        return failed(Fault.BAD_ANSWER, Executed.MAYBE, detail, 0);
    }

    static Failed failed(Fault fault, Executed executed, String detail) {
        return failed(fault, executed, detail, 0);
    }

    private static Failed failed(Fault fault, Executed executed, String detail, int retryAfterSeconds) {
        return new Failed(fault, executed, detail, retryAfterSeconds);
    }
}
