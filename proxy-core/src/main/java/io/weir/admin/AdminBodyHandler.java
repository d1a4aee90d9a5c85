package io.weir.admin;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.codec.http.HttpVersion;
import io.weir.transport.request.LingeringCloseHandler;

/**
 * Collects the requests of the admin listener and closes a connection whose request is too large. Confined to its event
 * loop.
 */
final class AdminBodyHandler extends HttpObjectAggregator {

    AdminBodyHandler(int maxBytes) {
        super(maxBytes, true);
    }

    @Override
    protected void handleOversizedMessage(ChannelHandlerContext ctx, HttpMessage oversized) {
        FullHttpResponse tooLarge = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, Unpooled.EMPTY_BUFFER);
        tooLarge.headers()
                .setInt(HttpHeaderNames.CONTENT_LENGTH, 0)
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        // Bypasses the handler that would close at once. With an immediate close, the client's remaining bytes would
        // cause a reset that destroys the answer.
        ctx.pipeline()
                .context(HttpServerKeepAliveHandler.class)
                .writeAndFlush(tooLarge)
                .addListener(written -> LingeringCloseHandler.close(ctx));
    }
}
