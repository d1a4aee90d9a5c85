package io.weir.admin;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.ssl.SslHandler;
import io.weir.api.AdminPage.Request;
import io.weir.api.AdminPage.Response;
import io.weir.metrics.RateLimitedLogger;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Routes requests of the admin listener, one at a time per connection. Confined to its event loop. */
final class AdminRequestHandler extends ChannelInboundHandlerAdapter {

    private static final RateLimitedLogger LOG =
            new RateLimitedLogger(LoggerFactory.getLogger(AdminRequestHandler.class));
    private static final Response MALFORMED = AdminResponses.text(400, "not HTTP that can be served");
    private static final Response FAILED = AdminResponses.text(500, "internal error");

    private final AdminRoutes routes;
    private final AdminConnections connections;

    /** Requests that arrived while another one is in progress: no more than one read of the socket contains. */
    private final Deque<FullHttpRequest> waiting = new ArrayDeque<>();

    private boolean answering;

    AdminRequestHandler(AdminRoutes routes, AdminConnections connections) {
        this.routes = routes;
        this.connections = connections;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        connections.begin(context.channel());
        waiting.add((FullHttpRequest) message);
        answerNext(context);
    }

    /**
     * Answers the next request. Until the client has received that answer, the other requests wait and nothing more is
     * read. Otherwise a client that reads nothing could cause unlimited answers.
     */
    private void answerNext(ChannelHandlerContext context) {
        if (!answering && !waiting.isEmpty()) {
            FullHttpRequest request = waiting.remove();
            answering = true;
            try {
                answer(context, request);
            } finally {
                request.release();
            }
        }
        if (!answering) {
            connections.end(context.channel());
        }
        context.channel().config().setAutoRead(!answering);
    }

    private void answer(ChannelHandlerContext context, FullHttpRequest request) {
        if (request.decoderResult().isFailure()) {
            // The start of the next request is unknown after a malformed one.
            context.writeAndFlush(encoded(MALFORMED)).addListener(ChannelFutureListener.CLOSE);
            return;
        }
        InetSocketAddress local = (InetSocketAddress) context.channel().localAddress();
        Response rejection = new AdminRequestCheck(routes.config()).rejection(request, local);
        if (rejection != null) {
            end(context, rejection);
            return;
        }
        if (!(context.channel().remoteAddress() instanceof InetSocketAddress remote)) {
            // The client is gone already.
            context.close();
            return;
        }
        String path;
        Request read;
        try {
            QueryStringDecoder uri = new QueryStringDecoder(request.uri());
            path = uri.path();
            read = read(request, uri, remote.getAddress());
        } catch (IllegalArgumentException e) {
            end(context, MALFORMED);
            return;
        }
        try {
            routes.handle(
                    path,
                    read,
                    certificate(context),
                    context.channel().eventLoop(),
                    response -> end(context, response));
        } catch (RuntimeException e) {
            LOG.warn("a page failed", e);
            end(context, FAILED);
        }
    }

    private static Request read(FullHttpRequest request, QueryStringDecoder uri, InetAddress peer) {
        Map<String, String> query = new HashMap<>();
        uri.parameters().forEach((name, values) -> query.put(name, last(values)));
        Map<String, String> headers = new HashMap<>();
        HttpHeaders all = request.headers();
        all.forEach(header -> headers.put(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
        byte[] body = ByteBufUtil.getBytes(request.content());
        return new Request(request.method().name(), "", Map.copyOf(query), Map.copyOf(headers), body, peer);
    }

    /** Returns the certificate that the client has shown, or null. */
    private static @Nullable X509Certificate certificate(ChannelHandlerContext context) {
        SslHandler tls = context.pipeline().get(SslHandler.class);
        try {
            return tls != null && tls.engine().getSession().getPeerCertificates()[0] instanceof X509Certificate shown
                    ? shown
                    : null;
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }

    private static String last(List<String> values) {
        return values.get(values.size() - 1);
    }

    private void end(ChannelHandlerContext context, Response response) {
        // In a separate task, so that many requests of one connection do not delay a health check on another.
        context.writeAndFlush(encodedOrFailed(response))
                .addListener(taken -> context.executor().execute(() -> {
                    answering = false;
                    answerNext(context);
                }));
    }

    private static FullHttpResponse encodedOrFailed(Response response) {
        try {
            return encoded(response);
        } catch (IllegalArgumentException e) {
            LOG.warn("a page's response cannot be sent", e);
            return encoded(FAILED);
        }
    }

    private static FullHttpResponse encoded(Response response) {
        FullHttpResponse http = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(response.status()),
                Unpooled.wrappedBuffer(response.body()));
        response.headers().forEach((name, value) -> http.headers().set(name, value));
        // A page must not control the framing of the message.
        http.headers().remove(HttpHeaderNames.TRANSFER_ENCODING).remove(HttpHeaderNames.CONNECTION);
        http.headers().set(HttpHeaderNames.CONTENT_TYPE, response.contentType());
        http.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, response.body().length);
        http.headers().set(HttpHeaderNames.CACHE_CONTROL, "no-store");
        return http;
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        while (!waiting.isEmpty()) {
            waiting.remove().release();
        }
        super.channelInactive(context);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.warn("admin connection failed", cause);
        }
        context.close();
    }
}
