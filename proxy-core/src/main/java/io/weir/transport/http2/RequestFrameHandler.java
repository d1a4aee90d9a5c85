package io.weir.transport.http2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
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
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns the frames of a stream into the parts of one request. A malformed request resets the stream; one over a bound gets an answer.
 * Confined to its event loop.
 */
final class RequestFrameHandler extends ChannelInboundHandlerAdapter {

    private final ListenerLimits limits;
    private boolean begun;
    private boolean whole;

    private boolean dropped;

    RequestFrameHandler(ListenerLimits limits) {
        this.limits = limits;
    }

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

    /** The fields of a stream's request, as the head that the handlers of HTTP/1.1 read. Stateless. */
    private static final class RequestFields {

        private static final HttpVersion HTTP_2 = new HttpVersion("HTTP", 2, 0, true);

        private RequestFields() {}

        /**
         * Returns the head of a request, or null if it is malformed by RFC 9113: then the stream ends.
         *
         * @param whole whether the request has no body
         */
        static @Nullable HttpRequest head(Http2Headers fields, boolean whole) {
            CharSequence method = fields.method();
            if (method == null || hasEmptyPath(fields) || isTunnel(fields, method)) {
                return null;
            }
            try {
                // CONNECT has no path; the rules of the framing reject it.
                HttpRequest request =
                        new DefaultHttpRequest(HTTP_2, HttpMethod.valueOf(method.toString()), path(fields));
                for (Map.Entry<CharSequence, CharSequence> field : fields) {
                    if (!isPseudo(field.getKey())) {
                        request.headers().add(field.getKey(), field.getValue());
                    }
                }
                return host(request.headers(), fields.authority()) ? length(request, whole) : null;
            } catch (IllegalArgumentException e) {
                // A character that no name or value may have.
                return null;
            }
        }

        /** Returns whether the fields after a body may be there. */
        static boolean areTrailers(Http2Headers fields) {
            for (CharSequence name : fields.names()) {
                if (isPseudo(name)) {
                    return false;
                }
            }
            return true;
        }

        private static boolean hasEmptyPath(Http2Headers fields) {
            CharSequence path = fields.path();
            return path != null && path.isEmpty();
        }

        /** Returns whether a request asks for a tunnel in a form that nobody was offered: one to a path, or of another protocol. */
        private static boolean isTunnel(Http2Headers fields, CharSequence method) {
            return fields.contains(Http2Headers.PseudoHeaderName.PROTOCOL.value())
                    || (HttpMethod.CONNECT.asciiName().contentEquals(method)
                            && (fields.path() != null || fields.scheme() != null));
        }

        private static String path(Http2Headers fields) {
            CharSequence path = fields.path();
            return path == null ? "" : path.toString();
        }

        private static boolean isPseudo(CharSequence name) {
            return !name.isEmpty() && name.charAt(0) == ':';
        }

        /**
         * Sets the host that the request was sent to. Returns false if it names two of them. The rules of the framing reject several fields with
         * the same one.
         */
        private static boolean host(HttpHeaders headers, @Nullable CharSequence authority) {
            if (authority == null) {
                return true;
            }
            List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
            if (hosts.stream().anyMatch(host -> !host.equalsIgnoreCase(authority.toString()))) {
                return false;
            }
            if (hosts.isEmpty()) {
                headers.set(HttpHeaderNames.HOST, authority);
            }
            return true;
        }

        /** Says of a request without a length whether it has a body. */
        private static HttpRequest length(HttpRequest request, boolean whole) {
            HttpHeaders headers = request.headers();
            if (!headers.contains(HttpHeaderNames.CONTENT_LENGTH)) {
                if (whole) {
                    headers.set(HttpHeaderNames.CONTENT_LENGTH, HttpHeaderValues.ZERO);
                } else {
                    headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
                }
            }
            return request;
        }
    }
}
