package io.weir.transport.http2;

import com.codahale.metrics.Counter;
import io.netty.handler.codec.http2.Http2Error;
import java.util.function.Function;

/** The count of an error that ends a connection: its first one, whatever comes of it. Confined to its event loop. */
final class ConnectionErrors {

    private final Function<Http2Error, Counter> counters;
    private boolean counted;

    /** @param counters returns the counter of connections that end with a code */
    ConnectionErrors(Function<Http2Error, Counter> counters) {
        this.counters = counters;
    }

    /** Counts the error that ends the connection. */
    void count(Http2Error code) {
        if (!counted) {
            counted = true;
            counters.apply(code).inc();
        }
    }
}
