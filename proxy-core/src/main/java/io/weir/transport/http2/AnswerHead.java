package io.weir.transport.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.Set;

/**
 * The head of an answer, read from the bytes that {@code HttpAnswers} writes for every protocol. Confined to its event loop.
 *
 * @param fields its fields, without those about a connection of HTTP/1.1
 * @param length of the body in bytes; -1 if it is not known yet
 */
record AnswerHead(Http2Headers fields, long length) {

    private static final int STATUS_AT = "HTTP/1.1 ".length();
    private static final int STATUS_DIGITS = 3;
    private static final byte LINE_END = '\n';
    private static final Set<AsciiString> OF_CONNECTIONS =
            Set.of(HttpHeaderNames.CONNECTION, HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderNames.UPGRADE);

    /** Reads the head at the beginning of a buffer, which remains the caller's: its body is left. */
    static AnswerHead read(ByteBuf answer) {
        String status = line(answer);
        Http2Headers fields = new DefaultHttp2Headers(false);
        fields.status(status.substring(STATUS_AT, STATUS_AT + STATUS_DIGITS));
        long length = -1;
        for (String line = line(answer); !line.isEmpty(); line = line(answer)) {
            int colon = line.indexOf(':');
            AsciiString name = new AsciiString(line.substring(0, colon)).toLowerCase();
            String value = line.substring(colon + 2);
            if (!OF_CONNECTIONS.contains(name)) {
                fields.add(name, value);
            }
            if (name.equals(HttpHeaderNames.CONTENT_LENGTH)) {
                length = Long.parseLong(value);
            }
        }
        return new AnswerHead(fields, status.startsWith("204", STATUS_AT) ? 0 : length);
    }

    /** Returns whether another head follows this one. */
    boolean isInterim() {
        CharSequence status = fields.status();
        return status != null && status.charAt(0) == '1';
    }

    private static String line(ByteBuf answer) {
        int from = answer.readerIndex();
        int end = answer.indexOf(from, answer.writerIndex(), LINE_END);
        answer.readerIndex(end + 1);
        return answer.toString(from, end - 1 - from, US_ASCII);
    }
}
