package io.weir.transport.request;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.internal.PlatformDependent;
import io.weir.config.ServerConfig;
import io.weir.jsonrpc.RequestReader;
import io.weir.jsonrpc.text.NameTable;
import io.weir.limit.Budget;
import io.weir.limit.Budget.KeyBudgets;
import io.weir.limit.Share;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.network.CurrentGeneration;
import io.weir.network.Readiness;
import io.weir.transport.http1.ListenerLimits;
import io.weir.transport.http1.RequestHeadAccount;
import io.weir.transport.log.AccessLogEntry;
import io.weir.transport.log.AccessWriter;
import java.net.InetAddress;
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The objects that the handlers of all connections of a listener share. Thread-safe.
 *
 * @param config the listener's bounds
 * @param limits of each connection
 * @param current the generation that serves
 * @param readiness the answer to health checks
 * @param readers read request bodies, each on its own thread
 * @param calls in flight of all connections
 * @param bytes of requests and answers in flight
 * @param headBytes of unfinished request heads, by address
 * @param rejections counts rejected requests
 * @param webSockets number of open WebSockets
 * @param clients finds the addresses of clients
 * @param log records requests and answers; null if it is off
 * @param clock for dates
 */
public record ListenerContext(
        ServerConfig config,
        ListenerLimits limits,
        CurrentGeneration current,
        Readiness readiness,
        ThreadLocal<RequestReader> readers,
        Budget calls,
        Budget bytes,
        KeyBudgets headBytes,
        EnumCounters<Rejection.Reason> rejections,
        AtomicInteger webSockets,
        ClientAddresses clients,
        @Nullable AccessWriter log,
        Clock clock) {

    /**
     * Creates the context of a listener with the system's clock.
     *
     * @param readiness of the generation that serves
     * @param methods names that calls most likely have
     * @param bytes the budget of requests and answers, shared with the collectors of upstream answers
     */
    public static ListenerContext of(
            ServerConfig config,
            Readiness readiness,
            NameTable methods,
            Budget bytes,
            @Nullable AccessWriter log,
            Meters meters) {
        EnumCounters<Rejection.Reason> rejections =
                new EnumCounters<>(meters, Meter.REQUESTS_REFUSED, Rejection.Reason.class);
        Budget calls = new Budget(config.load().calls());
        meters.gauge(Meter.BYTES_IN_FLIGHT, bytes::taken);
        meters.gauge(Meter.BYTES_IN_FLIGHT_MAX, bytes::max);
        meters.gauge(Meter.BYTES_DIRECT, PlatformDependent::usedDirectMemory);
        meters.gauge(Meter.BYTES_DIRECT_MAX, PlatformDependent::maxDirectMemory);
        meters.gauge(Meter.CALLS_IN_FLIGHT, calls::taken);
        ClientAddresses clients = new ClientAddresses(config.trustedProxies());
        KeyBudgets headBytes = new KeyBudgets(ListenerLimits.DEFAULT.headBytesPerAddress());
        return new ListenerContext(
                config,
                ListenerLimits.DEFAULT,
                readiness.current(),
                readiness,
                ThreadLocal.withInitial(() -> new RequestReader(config.maxBatch(), methods)),
                calls,
                bytes,
                headBytes,
                rejections,
                new AtomicInteger(),
                clients,
                log,
                Clock.systemUTC());
    }

    /** Returns the share of the bytes in flight of those who sent a request. */
    public Share bytes(Admission.Granted granted) {
        return bytes.share(granted.holder());
    }

    /** Returns a log entry for a WebSocket message that has just begun, or null if the access log is off. */
    public @Nullable AccessLogEntry logEntry(@Nullable InetAddress client) {
        return log == null ? null : new AccessLogEntry(log, AccessLogEntry.Protocol.WEBSOCKET, client, clock.millis());
    }

    /**
     * Returns a log entry for an HTTP request that has just begun, or null if the access log is off.
     *
     * @param request null if its head could not be read
     */
    public @Nullable AccessLogEntry logEntry(Channel channel, @Nullable HttpRequest request) {
        if (log == null) {
            return null;
        }
        AccessLogEntry.Protocol protocol =
                channel instanceof Http2StreamChannel ? AccessLogEntry.Protocol.HTTP2 : AccessLogEntry.Protocol.HTTP;
        return new AccessLogEntry(log, protocol, client(channel, request), clock.millis());
    }

    /** Returns an empty account of what a new connection holds of unfinished requests. Addresses with many clients have no bound. */
    public RequestHeadAccount headAccount(Channel channel) {
        InetAddress peer = ClientAddresses.peer(channel);
        boolean free = peer == null || limits.headBytesPerAddress() == 0 || clients.isShared(peer);
        return new RequestHeadAccount(
                bytes.reserve(),
                free
                        ? null
                        : headBytes
                                .of(KeyBudgets.network(Objects.requireNonNull(peer)))
                                .reserve());
    }

    public RequestSource source(Channel channel, HttpRequest request) {
        return RequestSource.of(
                channel,
                request,
                client(channel, request),
                current.get().config().tracing().isOn());
    }

    private @Nullable InetAddress client(Channel channel, @Nullable HttpRequest request) {
        InetAddress peer = ClientAddresses.peer(channel);
        return peer == null || request == null ? peer : clients.client(peer, request.headers());
    }
}
