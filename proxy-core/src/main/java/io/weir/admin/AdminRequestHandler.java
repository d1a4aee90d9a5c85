package io.weir.admin;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.weir.api.AdminPage.Request;
import io.weir.api.AdminPage.Response;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes requests at the admin listener to their routes, one at a time on a connection. Confined to its event loop. */
final class AdminRequestHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

    private static final Logger LOG = LoggerFactory.getLogger(AdminRequestHandler.class);

    private final AdminRoutes routes;

    AdminRequestHandler(AdminRoutes routes) {
        this.routes = routes;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        if (request.decoderResult().isFailure()) {
            write(context, AdminRoutes.text(400, "not HTTP that can be served"));
            return;
        }
        // Until the answer is out nothing else is read: pages answer later, and answers keep their order.
        context.channel().config().setAutoRead(false);
        QueryStringDecoder uri = new QueryStringDecoder(request.uri());
        try {
            routes.handle(
                    uri.path(),
                    read(request, uri),
                    context.channel().eventLoop(),
                    response -> write(context, response));
        } catch (RuntimeException e) {
            LOG.warn("{} failed", uri.path(), e);
            write(context, AdminRoutes.text(500, "internal error"));
        }
    }

    private static Request read(FullHttpRequest request, QueryStringDecoder uri) {
        Map<String, String> query = new HashMap<>();
        uri.parameters().forEach((name, values) -> query.put(name, last(values)));
        Map<String, String> headers = new HashMap<>();
        HttpHeaders all = request.headers();
        all.forEach(header -> headers.put(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
        byte[] body = ByteBufUtil.getBytes(request.content());
        return new Request(request.method().name(), "", Map.copyOf(query), Map.copyOf(headers), body);
    }

    private static String last(List<String> values) {
        return values.get(values.size() - 1);
    }

    private static void write(ChannelHandlerContext context, Response response) {
        FullHttpResponse http = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(response.status()),
                Unpooled.wrappedBuffer(response.body()));
        response.headers().forEach((name, value) -> http.headers().set(name, value));
        http.headers().set(HttpHeaderNames.CONTENT_TYPE, response.contentType());
        http.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, response.body().length);
        http.headers().set(HttpHeaderNames.CACHE_CONTROL, "no-store");
        context.writeAndFlush(http);
        context.channel().config().setAutoRead(true);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("admin connection closed", cause);
        context.close();
    }
}
