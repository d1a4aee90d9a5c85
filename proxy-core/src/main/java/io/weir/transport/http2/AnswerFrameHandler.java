package io.weir.transport.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Frames the bytes of a stream's answer, and ends the stream behind them. A close before that resets the stream. Confined to its event
 * loop.
 */
final class AnswerFrameHandler extends ChannelOutboundHandlerAdapter {

    private final RequestFrameHandler request;
    private @Nullable AnswerHead head;

    /** Bytes of the body that are still to come, if the head has its length. */
    private long left;

    private boolean ended;

    /** What a client learns of an answer that ends too early. */
    private Http2Error cutOff = Http2Error.INTERNAL_ERROR;

    /** Frames of the body that the client has not taken. */
    private int waiting;

    private long taken;

    AnswerFrameHandler(RequestFrameHandler request) {
        this.request = request;
    }

    /** Returns whether bytes of the body wait for the client. */
    boolean isWaiting() {
        return waiting > 0;
    }

    /** Returns the number of frames of the body that the client has taken. */
    long taken() {
        return taken;
    }

    /** Notes that the stream closes because the client does not take its answer. */
    void giveUp() {
        cutOff = Http2Error.CANCEL;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof LastHttpContent last) {
            ended = true;
            writeData(ctx, last.content(), promise);
        } else if (message instanceof ByteBuf bytes) {
            write(ctx, bytes, promise);
        } else {
            ctx.write(message, promise);
        }
    }

    private void write(ChannelHandlerContext ctx, ByteBuf bytes, ChannelPromise promise) {
        if (head == null) {
            AnswerHead begun = AnswerHead.read(bytes);
            head = begun.isInterim() ? null : begun;
            left = begun.length();
            // An answer with a body begins with the head and some of the body in one buffer. The answer to a HEAD has a
            // length and no body.
            ended = !begun.isInterim() && !bytes.isReadable();
            if (!bytes.isReadable()) {
                bytes.release();
                ctx.write(new DefaultHttp2HeadersFrame(begun.fields(), ended), promise);
                return;
            }
            ctx.write(new DefaultHttp2HeadersFrame(begun.fields(), false), ctx.newPromise());
        }
        if (left >= 0) {
            left -= bytes.readableBytes();
            ended = left == 0;
        }
        writeData(ctx, bytes, promise);
    }

    private void writeData(ChannelHandlerContext ctx, ByteBuf body, ChannelPromise promise) {
        waiting++;
        ctx.write(new DefaultHttp2DataFrame(body, ended), promise.unvoid()).addListener(sent -> {
            waiting--;
            taken++;
        });
    }

    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        if (!ended || waiting > 0) {
            ctx.writeAndFlush(new DefaultHttp2ResetFrame(cutOff));
        } else if (!request.isWhole()) {
            // The answer is whole; only the rest of the request is not wanted.
            ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.NO_ERROR));
        }
        ctx.close(promise);
    }

    /**
     * The head of an answer, read from the bytes that {@code HttpAnswers} writes for every protocol. Confined to its event loop.
     *
     * @param fields its fields, without those about a connection of HTTP/1.1
     * @param length of the body in bytes; -1 if it is not known yet
     */
    private record AnswerHead(Http2Headers fields, long length) {

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
}
