package io.weir.transport.answer;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultMessageSizeEstimator;
import io.netty.channel.MessageSizeEstimator;
import io.netty.util.ReferenceCounted;
import io.weir.framing.DecimalText;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.ReplyText;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.CallTrace.LogGrade;
import io.weir.pipeline.RequestAnswer;
import io.weir.transport.request.Rejection;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The writer of HTTP answers, each into one buffer of the right size. A socket only accepts bytes from outside the
 * heap, so this copy is the only one. A large text is not copied: its buffer consists of the arrays that hold it, and
 * must be sent as a {@link HeapAnswer}. Thread-safe; a returned buffer is the caller's.
 *
 * <p>Lines that most answers share stand together in one constant, because each write to a buffer costs about as much as its bytes.
 */
public final class HttpAnswers {

    private static final MessageSizeEstimator.Handle BUFFERS = DefaultMessageSizeEstimator.DEFAULT.newHandle();

    /** Estimates the bytes of messages waiting to be sent. Netty's own estimate for a {@link HeapAnswer} is zero. */
    public static final MessageSizeEstimator SIZES =
            () -> message -> message instanceof HeapAnswer answer ? (int) answer.count() : BUFFERS.size(message);

    private static final int HEAD_BYTES = 384;

    private static final int STATUS_AT = "HTTP/1.1 ".length();
    private static final int STATUS_DIGITS = 3;

    private static final byte[] CONTINUE = ascii("HTTP/1.1 100 Continue\r\n\r\n");
    private static final byte[] OK = ascii("HTTP/1.1 200 OK\r\n");
    private static final byte[] NO_CONTENT = ascii("HTTP/1.1 204 No Content\r\n");
    private static final byte[] FORBIDDEN = ascii("HTTP/1.1 403 Forbidden\r\n");
    private static final byte[] TOO_MANY = ascii("HTTP/1.1 429 Too Many Requests\r\n");
    private static final byte[] UNAVAILABLE = ascii("HTTP/1.1 503 Service Unavailable\r\n");

    private static final String VARY = "Vary: Accept-Encoding\r\n";
    private static final String GZIP = "Content-Encoding: gzip\r\n";
    private static final String JSON_LENGTH = "Content-Type: application/json\r\nContent-Length: ";
    private static final String JSON_STREAM = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final byte[] UNVARIED_JSON = ascii(JSON_LENGTH);
    private static final byte[] JSON = ascii(VARY + JSON_LENGTH);
    private static final byte[] GZIPPED_JSON = ascii(VARY + GZIP + JSON_LENGTH);
    private static final byte[] JSON_CHUNKS = ascii(VARY + JSON_STREAM);
    private static final byte[] GZIPPED_JSON_CHUNKS = ascii(VARY + GZIP + JSON_STREAM);
    private static final byte[] PLAIN = ascii("Content-Type: text/plain\r\nContent-Length: ");
    private static final byte[] EMPTY = ascii("Content-Length: 0\r\n\r\n");
    private static final byte[] CLOSE = ascii("Connection: close\r\n");
    private static final byte[] KEEP_ALIVE = ascii("Connection: keep-alive\r\n");
    private static final byte[] NO_STORE = ascii("Cache-Control: no-store\r\n");
    private static final byte[] READY = ascii("ready\n");
    private static final byte[] NOT_READY = ascii("not ready\n");
    private static final byte[] HEAD_END = ascii("\r\n\r\n");
    private static final byte[] LINE_END = ascii("\r\n");

    private static final byte[] CACHE_STATUS = ascii("Cache-Status: weir; ");
    private static final byte[] VERIFIED = ascii("Weir-Verified: form");
    private static final byte[] AND = ascii(", ");
    private static final byte[] TOTAL = ascii("Server-Timing: total;dur=");
    /** The lines of a hit that is judged and not proven. */
    private static final byte[] HIT =
            ascii("Cache-Status: weir; " + CallTrace.HIT + "\r\nWeir-Verified: form\r\nServer-Timing: total;dur=");

    private static final byte[] UPSTREAM = ascii(", upstream;dur=");
    private static final byte[] DESCRIPTION = ascii(";desc=\"");
    private static final byte[] LOGS = ascii("Weir-Logs: ");
    private static final byte[] DEGRADED = ascii("Weir-Degraded: 1\r\n");

    private static final DateTimeFormatter DATE_FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final Clock clock;
    private volatile DateLine dateLine;

    /** The Date header of one second, with its line end. Immutable; nobody modifies the array. */
    private record DateLine(long second, byte[] bytes) {

        static DateLine at(long second) {
            String date = DATE_FORMAT.format(Instant.ofEpochSecond(second));
            return new DateLine(second, ascii("Date: " + date + "\r\n"));
        }
    }

    public HttpAnswers(Clock clock) {
        this.clock = clock;
        this.dateLine = DateLine.at(clock.millis() / 1000);
    }

    /** Returns the response that asks a client to send its body. */
    public ByteBuf writeContinue(ByteBufAllocator allocator) {
        return allocator.ioBuffer(CONTINUE.length).writeBytes(CONTINUE);
    }

    public ByteBuf write(ByteBufAllocator allocator, RequestAnswer answer, AnswerStyle style) {
        ReplyText text = answer.text();
        if (text != null) {
            boolean separate = text.isLarge() && !style.headOnly();
            ByteBuf out = begin(allocator, status(answer), separate ? 0 : text.length(), style);
            callHeaders(out, answer);
            out.writeBytes(JSON);
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
        contentLength(out.writeBytes(GZIPPED_JSON), compressed.readableBytes());
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
        out.writeBytes(gzip ? GZIPPED_JSON_CHUNKS : JSON_CHUNKS);
        if (style.streaming() == AnswerStyle.Streaming.FRAMES) {
            return out.writeBytes(first);
        }
        ByteBufUtil.writeAscii(out, Integer.toHexString(first.length));
        return out.writeBytes(LINE_END).writeBytes(first).writeBytes(LINE_END);
    }

    /** Returns the message to write to a channel for an answer, which it takes over. A direct buffer is returned itself. */
    public static ReferenceCounted message(ByteBuf answer, ByteBufAllocator allocator) {
        return answer.isDirect() ? answer : new HeapAnswer(answer, allocator);
    }

    /** Returns the status code of an answer that was written here. */
    public static int status(ByteBuf answer) {
        return Integer.parseInt(answer.toString(answer.readerIndex() + STATUS_AT, STATUS_DIGITS, US_ASCII));
    }

    public ByteBuf reject(ByteBufAllocator allocator, Rejection rejection, AnswerStyle style) {
        ReplyText text = error(rejection);
        byte[] words = ascii(rejection.detail() + "\n");
        int length = text == null ? words.length : text.length();
        Rejection.Reason reason = rejection.reason();
        ByteBuf out = begin(allocator, ascii("HTTP/1.1 " + reason.status() + "\r\n"), length, style);
        if (reason.headers() != null) {
            ByteBufUtil.writeAscii(out, reason.headers());
            out.writeBytes(LINE_END);
        }
        if (text != null) {
            return json(out.writeBytes(UNVARIED_JSON), text, style);
        }
        return plain(out, words, style);
    }

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
    private static @Nullable ReplyText error(Rejection rejection) {
        ErrorCode code = switch (rejection.reason()) {
            case KEY, KEY_CONFLICT, KEY_EXPIRED -> ErrorCode.UNAUTHORIZED;
            case PERMISSION, KEY_CLIENT, KEY_ORIGIN, HOST, ORIGIN -> ErrorCode.FORBIDDEN;
            case OVERLOAD -> ErrorCode.INTERNAL_ERROR;
            case GZIP -> ErrorCode.PARSE_ERROR;
            default -> null;
        };
        return code == null ? null : ReplyText.one(RawJson.NULL, RpcReply.failure(code.error(rejection.detail())));
    }

    /** Writes the headers about a single call, and about a failure. */
    private static void callHeaders(ByteBuf out, RequestAnswer answer) {
        if (answer instanceof RequestAnswer.One one && one.context() != null) {
            callHeaders(out, one.context());
        }
        RpcReply.Failure failure = failure(answer);
        if (failure != null) {
            retryAfter(out, failure);
        }
    }

    /** Writes how a single call was processed: the part of the cache, what was judged of the answer, and the times. */
    private static void callHeaders(ByteBuf out, CallContext context) {
        CallTrace trace = context.trace();
        String status = trace.cacheStatus();
        if (CallTrace.HIT.equals(status) && trace.isJudged() && trace.verified().isEmpty()) {
            out.writeBytes(HIT);
        } else {
            if (status != null) {
                ByteBufUtil.writeAscii(out.writeBytes(CACHE_STATUS), status);
                out.writeBytes(LINE_END);
            }
            if (trace.isJudged()) {
                out.writeBytes(VERIFIED);
                if (!trace.verified().isEmpty()) {
                    ByteBufUtil.writeAscii(out.writeBytes(AND), trace.verified());
                }
                out.writeBytes(LINE_END);
            }
            out.writeBytes(TOTAL);
        }
        writeMillis(out, System.nanoTime() - context.startNanos());
        String upstream = trace.upstreamId();
        if (upstream != null) {
            writeMillis(out.writeBytes(UPSTREAM), trace.upstreamNanos());
            writeQuoted(out.writeBytes(DESCRIPTION), upstream);
            out.writeByte('"');
        }
        out.writeBytes(LINE_END);
        LogGrade logs = trace.logs();
        if (logs != null) {
            ByteBufUtil.writeAscii(out.writeBytes(LOGS), logs.word());
            out.writeBytes(LINE_END);
        }
        if (trace.degraded()) {
            out.writeBytes(DEGRADED);
        }
    }

    /** Writes milliseconds with three decimals. */
    private static void writeMillis(ByteBuf out, long nanos) {
        long micros = Math.max(0, nanos / 1000);
        int fraction = (int) (micros % 1000);
        DecimalText.write(out, micros / 1000);
        int digits = ((fraction / 100) << 16) | (((fraction / 10) % 10) << 8) | (fraction % 10);
        out.writeInt(('.' << 24) | ('0' << 16) | ('0' << 8) | '0' | digits);
    }

    private static void writeQuoted(ByteBuf out, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = c >= ' ' && c < 0x7f && c != '"' && c != '\\';
            out.writeByte(plain ? c : '_');
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
        out.writeBytes(status).writeBytes(date());
        if (!style.keepAlive()) {
            out.writeBytes(CLOSE);
        } else if (style.sendKeepAlive()) {
            out.writeBytes(KEEP_ALIVE);
        }
        if (!style.headers().isEmpty()) {
            ByteBufUtil.writeAscii(out, style.headers());
        }
        return out;
    }

    /** Returns the Date header of this second. Callers must not modify it. */
    byte[] date() {
        long second = clock.millis() / 1000;
        DateLine known = dateLine;
        if (known.second != second) {
            known = DateLine.at(second);
            dateLine = known;
        }
        return known.bytes;
    }

    private static ByteBuf json(ByteBuf out, ReplyText text, AnswerStyle style) {
        contentLength(out, text.length());
        if (!style.headOnly()) {
            text.writeTo(out::writeBytes);
        }
        return out;
    }

    /** Combines the head, which it takes over, with the arrays after it. */
    private static ByteBuf large(ByteBufAllocator allocator, ByteBuf head, ReplyText text) {
        contentLength(head, text.length());
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
