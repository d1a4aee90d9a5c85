package io.weir.transport.entry;

import io.weir.config.ServerConfig;
import io.weir.jsonrpc.RequestReader;
import io.weir.metrics.Meters;
import io.weir.network.CurrentGeneration;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the handlers of every connection of a listener share. Thread-safe.
 *
 * @param config the listener's bounds
 * @param current who serves
 * @param reader reads request bodies
 * @param refusals counts what was turned away
 * @param webSockets how many are open
 * @param clock tells the date
 */
public record FrontDoor(
        ServerConfig config,
        CurrentGeneration current,
        RequestReader reader,
        RefusalCounters refusals,
        AtomicInteger webSockets,
        Clock clock) {

    /** A listener's, with the system's clock. */
    public static FrontDoor of(ServerConfig config, CurrentGeneration current, RequestReader reader, Meters meters) {
        return new FrontDoor(
                config, current, reader, new RefusalCounters(meters), new AtomicInteger(), Clock.systemUTC());
    }
}
