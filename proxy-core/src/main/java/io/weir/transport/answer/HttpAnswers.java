package io.weir.transport.answer;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.framing.DecimalText;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.RequestAnswer;
import io.weir.transport.request.Rejection;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * The writer of HTTP answers, each into one buffer of the right size. A socket only accepts bytes from outside the
 * heap, so this copy is the only one. A large text is not copied: its buffer consists of the arrays that hold it, and
 * must be sent as a {@link HeapAnswer}. Thread-safe; a returned buffer is the caller's.
 */
public final class HttpAnswers {

    private static final int HEAD_BYTES = 384;

    private static final int STATUS_AT = "HTTP/1.1 ".length();
    private static final int STATUS_DIGITS = 3;

    private static final byte[] CONTINUE = ascii("HTTP/1.1 100 Continue\r\n\r\n");
    private static final byte[] OK = ascii("HTTP/1.1 200 OK\r\n");
    private static final byte[] NO_CONTENT = ascii("HTTP/1.1 204 No Content\r\n");
    private static final byte[] FORBIDDEN = ascii("HTTP/1.1 403 Forbidden\r\n");
    private static final byte[] TOO_MANY = ascii("HTTP/1.1 429 Too Many Requests\r\n");
    private static final byte[] UNAVAILABLE = ascii("HTTP/1.1 503 Service Unavailable\r\n");

    private static final byte[] JSON = ascii("Content-Type: application/json\r\nContent-Length: ");
    private static final byte[] VARY = ascii("Vary: Accept-Encoding\r\n");
    private static final byte[] GZIP = ascii("Content-Encoding: gzip\r\n");
    private static final byte[] NONE = {};
    private static final byte[] JSON_CHUNKS =
            ascii("Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
    private static final byte[] PLAIN = ascii("Content-Type: text/plain\r\nContent-Length: ");
    private static final byte[] EMPTY = ascii("Content-Length: 0\r\n\r\n");
    private static final byte[] CLOSE = ascii("Connection: close\r\n");
    private static final byte[] KEEP_ALIVE = ascii("Connection: keep-alive\r\n");
    private static final byte[] NO_STORE = ascii("Cache-Control: no-store\r\n");
    private static final byte[] READY = ascii("ready\n");
    private static final byte[] NOT_READY = ascii("not ready\n");
    private static final byte[] HEAD_END = ascii("\r\n\r\n");
    private static final byte[] LINE_END = ascii("\r\n");

    private final HttpDate date;

    /** Creates a writer with a clock for dates. */
    public HttpAnswers(Clock clock) {
        this.date = new HttpDate(clock);
    }

    /** Returns the response that asks a client to send its body. */
    public ByteBuf writeContinue(ByteBufAllocator allocator) {
        return allocator.ioBuffer(CONTINUE.length).writeBytes(CONTINUE);
    }

    /** Writes the answer to a body. */
    public ByteBuf write(ByteBufAllocator allocator, RequestAnswer answer, AnswerStyle style) {
        AnswerText text = AnswerText.of(answer);
        if (text != null) {
            boolean separate = text.isLarge() && !style.headOnly();
            ByteBuf out = begin(allocator, status(answer), separate ? 0 : text.length(), style);
            callHeaders(out, answer);
            out.writeBytes(VARY);
            return separate ? large(allocator, out, text) : json(out, text, style);
        }
        if (answer instanceof RequestAnswer.Refused refused) {
            // Notifications get no body, even if rejected: the status says enough.
            ByteBuf out = begin(allocator, status(refused.failure()), 0, style);
            retryAfter(out, refused.failure());
            return out.writeBytes(EMPTY);
        }
        return begin(allocator, NO_CONTENT, 0, style).writeBytes(LINE_END);
    }

    /**
     * Writes the answer to a body.
     *
     * @param compressed the answer's text, compressed; given up by the caller
     */
    public ByteBuf writeCompressed(
            ByteBufAllocator allocator, RequestAnswer answer, ByteBuf compressed, AnswerStyle style) {
        ByteBuf out = begin(allocator, status(answer), 0, style);
        callHeaders(out, answer);
        contentLength(out.writeBytes(VARY).writeBytes(GZIP).writeBytes(JSON), compressed.readableBytes());
        return allocator.compositeBuffer(2).addComponents(true, out, compressed);
    }

    /**
     * Writes the beginning of an answer that follows while it arrives: the head, and the first text, which is a chunk in
     * HTTP/1.1.
     *
     * @param gzip whether the text is compressed
     * @param first the first text
     */
    public ByteBuf writeBeforeStream(
            ByteBufAllocator allocator, RequestAnswer answer, AnswerStyle style, boolean gzip, byte[] first) {
        ByteBuf out = begin(allocator, OK, first.length, style);
        callHeaders(out, answer);
        out.writeBytes(VARY).writeBytes(gzip ? GZIP : NONE).writeBytes(JSON_CHUNKS);
        if (style.streaming() == AnswerStyle.Streaming.FRAMES) {
            return out.writeBytes(first);
        }
        ByteBufUtil.writeAscii(out, Integer.toHexString(first.length));
        return out.writeBytes(LINE_END).writeBytes(first).writeBytes(LINE_END);
    }

    /** Returns the status code of an answer that was written here. */
    public static int status(ByteBuf answer) {
        return Integer.parseInt(answer.toString(answer.readerIndex() + STATUS_AT, STATUS_DIGITS, US_ASCII));
    }

    /** Writes the rejection of a request. */
    public ByteBuf reject(ByteBufAllocator allocator, Rejection rejection, AnswerStyle style) {
        AnswerText text = error(rejection);
        byte[] words = ascii(rejection.detail() + "\n");
        int length = text == null ? words.length : text.length();
        Rejection.Reason reason = rejection.reason();
        ByteBuf out = begin(allocator, ascii("HTTP/1.1 " + reason.status() + "\r\n"), length, style);
        if (reason.headers() != null) {
            ByteBufUtil.writeAscii(out, reason.headers());
            out.writeBytes(LINE_END);
        }
        if (text != null) {
            return json(out, text, style);
        }
        return plain(out, words, style);
    }

    /** Writes the answer to a health check. */
    public ByteBuf health(ByteBufAllocator allocator, boolean ready, AnswerStyle style) {
        byte[] words = ready ? READY : NOT_READY;
        ByteBuf out = begin(allocator, ready ? OK : UNAVAILABLE, words.length, style);
        return plain(out.writeBytes(NO_STORE), words, style);
    }

    private static ByteBuf plain(ByteBuf out, byte[] words, AnswerStyle style) {
        contentLength(out.writeBytes(PLAIN), words.length);
        return style.headOnly() ? out : out.writeBytes(words);
    }

    /** Returns the JSON-RPC error in the body of a rejection, or null if the body is plain text. */
    private static @Nullable AnswerText error(Rejection rejection) {
        ErrorCode code = switch (rejection.reason()) {
            case KEY, KEY_CONFLICT, KEY_EXPIRED -> ErrorCode.UNAUTHORIZED;
            case PERMISSION, KEY_CLIENT, KEY_ORIGIN, HOST, ORIGIN -> ErrorCode.FORBIDDEN;
            case OVERLOAD -> ErrorCode.INTERNAL_ERROR;
            case GZIP -> ErrorCode.PARSE_ERROR;
            default -> null;
        };
        return code == null ? null : AnswerText.one(RawJson.NULL, RpcReply.failure(code.error(rejection.detail())));
    }

    /** Writes the headers about a single call, and about a failure. */
    private static void callHeaders(ByteBuf out, RequestAnswer answer) {
        if (answer instanceof RequestAnswer.One one && one.context() != null) {
            CallHeaders.write(out, one.context(), System.nanoTime());
        }
        RpcReply.Failure failure = failure(answer);
        if (failure != null) {
            retryAfter(out, failure);
        }
    }

    private static RpcReply.@Nullable Failure failure(RequestAnswer answer) {
        if (answer instanceof RequestAnswer.Refused refused) {
            return refused.failure();
        }
        return answer instanceof RequestAnswer.One one && one.reply() instanceof RpcReply.Failure failed
                ? failed
                : null;
    }

    private static byte[] status(RequestAnswer answer) {
        RpcReply.Failure failure = failure(answer);
        return failure == null ? OK : status(failure);
    }

    private ByteBuf begin(ByteBufAllocator allocator, byte[] status, int length, AnswerStyle style) {
        ByteBuf out = allocator.ioBuffer(HEAD_BYTES + style.headers().length() + length);
        out.writeBytes(status).writeBytes(date.bytes());
        if (!style.keepAlive()) {
            out.writeBytes(CLOSE);
        } else if (style.sendKeepAlive()) {
            out.writeBytes(KEEP_ALIVE);
        }
        ByteBufUtil.writeAscii(out, style.headers());
        return out;
    }

    private static ByteBuf json(ByteBuf out, AnswerText text, AnswerStyle style) {
        contentLength(out.writeBytes(JSON), text.length());
        if (!style.headOnly()) {
            text.writeTo(out);
        }
        return out;
    }

    /** Combines the head, which it takes over, with the arrays after it. */
    private static ByteBuf large(ByteBufAllocator allocator, ByteBuf head, AnswerText text) {
        contentLength(head.writeBytes(JSON), text.length());
        // Without a bound on the pieces, because Netty would copy them together over it.
        CompositeByteBuf whole = allocator.compositeBuffer(Integer.MAX_VALUE).addComponent(true, head);
        text.writeTo(
                (array, offset, length) -> whole.addComponent(true, Unpooled.wrappedBuffer(array, offset, length)));
        return whole;
    }

    private static void contentLength(ByteBuf out, int length) {
        DecimalText.write(out, length);
        out.writeBytes(HEAD_END);
    }

    private static void retryAfter(ByteBuf out, RpcReply.Failure failure) {
        if (failure.kind() != RpcReply.FailureKind.ANSWER && failure.retryAfterSeconds() > 0) {
            ByteBufUtil.writeAscii(out, "Retry-After: " + failure.retryAfterSeconds() + "\r\n");
        }
    }

    private static byte[] status(RpcReply.Failure failure) {
        return switch (failure.kind()) {
            case ANSWER -> OK;
            case FORBIDDEN -> FORBIDDEN;
            case RATE_LIMITED -> TOO_MANY;
            case UNAVAILABLE -> UNAVAILABLE;
        };
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }
}
