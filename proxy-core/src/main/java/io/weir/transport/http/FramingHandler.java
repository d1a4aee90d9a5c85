package io.weir.transport.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import io.weir.transport.answer.AnswerStyle;
import io.weir.transport.http1.Framing;
import io.weir.transport.http1.RequestHeadLimitException;
import io.weir.transport.request.Rejection;
import org.jspecify.annotations.Nullable;

/**
 * Passes only requests whose framing is unambiguous. After any other request, nothing of the connection is trusted.
 * Confined to its event loop.
 */
final class FramingHandler extends ChannelInboundHandlerAdapter {

    private boolean distrusted;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (distrusted) {
            ReferenceCountUtil.release(message);
            return;
        }
        Rejection rejection = rejection(message);
        if (rejection == null) {
            ctx.fireChannelRead(message);
        } else {
            distrusted = true;
            ReferenceCountUtil.release(message);
            ctx.fireChannelRead(new ClientRequest.Rejected(rejection, AnswerStyle.LAST));
        }
    }

    private static @Nullable Rejection rejection(Object message) {
        if (!(message instanceof HttpObject part)) {
            return null;
        }
        DecoderResult result = part.decoderResult();
        if (result.isFailure()) {
            return unreadable(result.cause());
        }
        if (!(part instanceof HttpRequest request)) {
            return null;
        }
        String fault = Framing.fault(request);
        if (fault != null) {
            return new Rejection(Rejection.Reason.FRAMING, fault);
        }
        Framing.toOriginForm(request);
        return null;
    }

    private static Rejection unreadable(Throwable cause) {
        if (cause instanceof RequestHeadLimitException bound) {
            Rejection.Reason reason = bound.isOverload() ? Rejection.Reason.OVERLOAD : Rejection.Reason.HEADERS;
            return new Rejection(reason, String.valueOf(bound.getMessage()));
        }
        if (cause instanceof TooLongHttpLineException) {
            return new Rejection(Rejection.Reason.HEADERS, "request line: too long");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return new Rejection(Rejection.Reason.HEADERS, "headers: too large");
        }
        // The cause's message may repeat request content, such as a key.
        return new Rejection(Rejection.Reason.FRAMING, "request: not HTTP/1.1 (expected: RFC 9112)");
    }
}
