package io.weir.transport.request;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpRequest;
import io.weir.config.ServerConfig;
import io.weir.jsonrpc.RequestReader;
import io.weir.limit.AddressCounts;
import io.weir.limit.Budget;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.network.CurrentGeneration;
import io.weir.transport.log.AccessLog;
import io.weir.transport.log.AccessLogEntry;
import io.weir.transport.peer.ClientAddresses;
import java.net.InetAddress;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The objects that the handlers of all connections of a listener share. Thread-safe.
 *
 * @param config the listener's bounds
 * @param current the generation that serves
 * @param dispatcher reads and runs request bodies
 * @param bytes of requests and answers in flight
 * @param headBytes of unfinished request heads, by address
 * @param rejections counts rejected requests
 * @param webSockets number of open WebSockets
 * @param clients finds the addresses of clients
 * @param log records requests and answers
 * @param clock for dates
 */
public record ListenerContext(
        ServerConfig config,
        CurrentGeneration current,
        RequestDispatcher dispatcher,
        Budget bytes,
        AddressCounts headBytes,
        RejectionCounters rejections,
        AtomicInteger webSockets,
        ClientAddresses clients,
        AccessLog log,
        Clock clock) {

    /**
     * Creates the context of a listener with the system's clock.
     *
     * @param bytes the budget of requests and answers, shared with the collectors of upstream answers
     */
    public static ListenerContext of(
            ServerConfig config,
            CurrentGeneration current,
            RequestReader reader,
            Budget bytes,
            AccessLog log,
            Meters meters) {
        RejectionCounters rejections = new RejectionCounters(meters);
        Budget calls = new Budget(config.load().calls());
        meters.gauge(Meter.BYTES_IN_FLIGHT, bytes::taken);
        meters.gauge(Meter.CALLS_IN_FLIGHT, calls::taken);
        RequestDispatcher dispatcher = new RequestDispatcher(reader, calls, rejections);
        ClientAddresses clients = new ClientAddresses(config.trustedProxies());
        AddressCounts headBytes = new AddressCounts(config.load().headBytesPerAddress());
        return new ListenerContext(
                config,
                current,
                dispatcher,
                bytes,
                headBytes,
                rejections,
                new AtomicInteger(),
                clients,
                log,
                Clock.systemUTC());
    }

    /** Returns a log entry for a request that has just begun, or null if the access log is off. */
    public @Nullable AccessLogEntry logEntry(AccessLogEntry.Protocol protocol, @Nullable InetAddress client) {
        return log.isOn() ? new AccessLogEntry(log, protocol, client, clock.millis()) : null;
    }

    /** Returns a log entry for an HTTP request that has just begun, or null if the access log is off. */
    public @Nullable AccessLogEntry logEntry(Channel channel, HttpRequest request) {
        if (!log.isOn()) {
            return null;
        }
        InetAddress peer = ClientAddresses.peer(channel);
        return logEntry(AccessLogEntry.Protocol.HTTP, peer == null ? null : clients.client(peer, request.headers()));
    }
}
