package io.weir.transport.entry;

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
 * What the handlers of every connection of a listener share. Thread-safe.
 *
 * @param config the listener's bounds
 * @param current who serves
 * @param calls reads and runs request bodies
 * @param bytes of requests and answers in flight
 * @param headBytes of unfinished request heads, by address
 * @param refusals counts what was turned away
 * @param webSockets how many are open
 * @param clients tells who a client is
 * @param log takes notes of what is asked and answered
 * @param clock tells the date
 */
public record ListenerContext(
        ServerConfig config,
        CurrentGeneration current,
        RequestDispatcher calls,
        Budget bytes,
        AddressCounts headBytes,
        RejectionCounters refusals,
        AtomicInteger webSockets,
        ClientAddresses clients,
        AccessLog log,
        Clock clock) {

    /**
     * A listener's, with the system's clock.
     *
     * @param bytes counts the bytes of requests and answers, and is shared with those who collect answers
     */
    public static ListenerContext of(
            ServerConfig config,
            CurrentGeneration current,
            RequestReader reader,
            Budget bytes,
            AccessLog log,
            Meters meters) {
        RejectionCounters refusals = new RejectionCounters(meters);
        Budget calls = new Budget(config.load().calls());
        meters.gauge(Meter.BYTES_IN_FLIGHT, bytes::taken);
        meters.gauge(Meter.CALLS_IN_FLIGHT, calls::taken);
        RequestDispatcher gate = new RequestDispatcher(reader, calls, refusals);
        ClientAddresses clients = new ClientAddresses(config.trustedProxies());
        AddressCounts headBytes = new AddressCounts(config.load().headBytesPerAddress());
        return new ListenerContext(
                config,
                current,
                gate,
                bytes,
                headBytes,
                refusals,
                new AtomicInteger(),
                clients,
                log,
                Clock.systemUTC());
    }

    /** A note of a request that has just begun, or null where nobody wants to know. */
    public @Nullable AccessLogEntry note(AccessLogEntry.Protocol protocol, @Nullable InetAddress client) {
        return log.isOn() ? new AccessLogEntry(log, protocol, client, clock.millis()) : null;
    }

    /** A note of an HTTP request that has just begun, or null where nobody wants to know. */
    public @Nullable AccessLogEntry note(Channel channel, HttpRequest request) {
        if (!log.isOn()) {
            return null;
        }
        InetAddress peer = ClientAddresses.peer(channel);
        return note(AccessLogEntry.Protocol.HTTP, peer == null ? null : clients.client(peer, request.headers()));
    }
}
