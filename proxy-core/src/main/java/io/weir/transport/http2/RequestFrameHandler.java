package io.weir.transport.http2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.ReferenceCountUtil;
import io.weir.transport.answer.AnswerStyle;
import io.weir.transport.http.ClientRequest;
import io.weir.transport.http1.Framing;
import io.weir.transport.http1.ListenerLimits;
import io.weir.transport.request.Rejection;
import org.jspecify.annotations.Nullable;

/**
 * Turns the frames of a stream into the parts of one request. A malformed request resets the stream; one over a bound gets an answer.
 * Confined to its event loop.
 */
final class RequestFrameHandler extends ChannelInboundHandlerAdapter {

    private final ListenerLimits limits;
    private boolean begun;
    private boolean whole;

    /** Whether the rest of the request is dropped. */
    private boolean dropped;

    RequestFrameHandler(ListenerLimits limits) {
        this.limits = limits;
    }

    /** Returns whether the whole request has arrived. */
    boolean isWhole() {
        return whole;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object frame) {
        if (frame instanceof Http2HeadersFrame headers) {
            whole = headers.isEndStream();
            if (begun) {
                endBehindTrailers(ctx, headers.headers());
            } else {
                begun = true;
                begin(ctx, headers.headers());
            }
        } else if (frame instanceof Http2DataFrame data && !dropped) {
            whole = data.isEndStream();
            ctx.fireChannelRead(
                    whole ? new DefaultLastHttpContent(data.content()) : new DefaultHttpContent(data.content()));
        } else {
            whole |= frame instanceof Http2DataFrame data && data.isEndStream();
            ReferenceCountUtil.release(frame);
        }
    }

    private void begin(ChannelHandlerContext ctx, Http2Headers fields) {
        HttpRequest request = RequestFields.head(fields, whole);
        if (request == null) {
            reset(ctx);
            return;
        }
        Rejection rejection = rejection(fields, request);
        if (rejection != null) {
            dropped = true;
            ctx.fireChannelRead(new ClientRequest.Rejected(rejection, AnswerStyle.LAST));
            return;
        }
        ctx.fireChannelRead(request);
        if (whole) {
            ctx.fireChannelRead(LastHttpContent.EMPTY_LAST_CONTENT);
        }
    }

    private @Nullable Rejection rejection(Http2Headers fields, HttpRequest request) {
        if (request.method().name().length() + request.uri().length() > limits.requestLineBytes()) {
            return new Rejection(Rejection.Reason.HEADERS, "request line: too long");
        }
        if (fields.size() > limits.headerLines()) {
            return new Rejection(
                    Rejection.Reason.HEADERS, "headers: too many (expected: at most " + limits.headerLines() + ")");
        }
        String fault = Framing.faultInHttp2(request);
        return fault == null ? null : new Rejection(Rejection.Reason.FRAMING, fault);
    }

    private void endBehindTrailers(ChannelHandlerContext ctx, Http2Headers trailers) {
        if (!RequestFields.areTrailers(trailers)) {
            reset(ctx);
        } else if (!dropped) {
            ctx.fireChannelRead(LastHttpContent.EMPTY_LAST_CONTENT);
        }
    }

    /** Ends the stream of a malformed request. */
    private void reset(ChannelHandlerContext ctx) {
        dropped = true;
        ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.PROTOCOL_ERROR));
        ctx.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // Netty resets the stream with the code of an error in its frames.
        if (!(cause instanceof Http2Exception)) {
            ctx.fireExceptionCaught(cause);
        }
    }
}
