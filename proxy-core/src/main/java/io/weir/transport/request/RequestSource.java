package io.weir.transport.request;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.weir.network.Generation;
import io.weir.tracing.TraceHeaders;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The host that a request was sent to and the page that sent it, by its headers. Immutable.
 *
 * @param host the Host header's value, or null
 * @param origins the values of the Origin headers; clients that are not browsers send none
 * @param client the client's address, or null if unknown
 * @param local the address that the connection reached, or null if unknown
 * @param trace the headers that name the client's trace; null if there are none, or while tracing is off
 */
public record RequestSource(
        @Nullable String host,
        List<String> origins,
        @Nullable InetAddress client,
        @Nullable InetAddress local,
        @Nullable TraceHeaders trace) {

    private static final Rejection FOREIGN_HOST = new Rejection(
            Rejection.Reason.HOST,
            "Host: not served under this name (expected: a loopback name, the address reached, a host of a network,"
                    + " or one in the setting server.hosts)");
    private static final Rejection FOREIGN_ORIGIN = new Rejection(
            Rejection.Reason.ORIGIN,
            "Origin: a foreign page (expected: no page, one of this host,"
                    + " or one in the setting server.cors.origins)");

    static RequestSource of(Channel channel, HttpRequest request, @Nullable InetAddress client, boolean traced) {
        HttpHeaders headers = request.headers();
        InetAddress local = channel.localAddress() instanceof InetSocketAddress address ? address.getAddress() : null;
        return new RequestSource(
                headers.get(HttpHeaderNames.HOST),
                List.copyOf(headers.getAll(HttpHeaderNames.ORIGIN)),
                client,
                local,
                traced ? trace(headers) : null);
    }

    private static @Nullable TraceHeaders trace(HttpHeaders headers) {
        String parent = headers.get(TraceHeaders.PARENT);
        if (parent == null) {
            return null;
        }
        String state = String.join(",", headers.getAll(TraceHeaders.STATE));
        return new TraceHeaders(parent, state.isEmpty() ? null : state);
    }

    /** Returns why a generation rejects this request, or null if it does not. */
    public @Nullable Rejection rejection(Generation generation) {
        if (!generation.hosts().allow(host, local)) {
            return FOREIGN_HOST;
        }
        return generation.origins().allow(origins, host) ? null : FOREIGN_ORIGIN;
    }
}
