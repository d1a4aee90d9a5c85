package io.weir.transport.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
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
}
