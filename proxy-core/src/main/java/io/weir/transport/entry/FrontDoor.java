package io.weir.transport.entry;

import io.weir.config.ServerConfig;
import io.weir.jsonrpc.RequestReader;
import io.weir.load.Budget;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.network.CurrentGeneration;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the handlers of every connection of a listener share. Thread-safe.
 *
 * @param config the listener's bounds
 * @param current who serves
 * @param calls reads and runs request bodies
 * @param bytes of requests and answers in flight
 * @param refusals counts what was turned away
 * @param webSockets how many are open
 * @param clock tells the date
 */
public record FrontDoor(
        ServerConfig config,
        CurrentGeneration current,
        CallGate calls,
        Budget bytes,
        RefusalCounters refusals,
        AtomicInteger webSockets,
        Clock clock) {

    /**
     * A listener's, with the system's clock.
     *
     * @param bytes counts the bytes of requests and answers, and is shared with those who collect answers
     */
    public static FrontDoor of(
            ServerConfig config, CurrentGeneration current, RequestReader reader, Budget bytes, Meters meters) {
        RefusalCounters refusals = new RefusalCounters(meters);
        Budget calls = new Budget(config.load().calls());
        meters.gauge(Meter.BYTES_IN_FLIGHT, bytes::taken);
        meters.gauge(Meter.CALLS_IN_FLIGHT, calls::taken);
        CallGate gate = new CallGate(reader, calls, refusals);
        return new FrontDoor(config, current, gate, bytes, refusals, new AtomicInteger(), Clock.systemUTC());
    }
}
