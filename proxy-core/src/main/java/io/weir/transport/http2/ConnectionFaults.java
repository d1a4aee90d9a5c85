package io.weir.transport.http2;

import com.codahale.metrics.Counter;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The faults of a connection: its newest streams that one of its sides has reset, while the other may not have known. The bound on streams
 * that the proxy resets for errors of the client; and the error that ends the connection. Confined to its event loop.
 */
final class ConnectionFaults extends Http2ConnectionAdapter {

    private static final int MAX_KNOWN = 256;

    private final int maxResets;
    private final long windowNanos;
    private final LongSupplier clock;
    private final Function<Http2Error, Counter> counters;
    /** Whether the proxy has reset a stream, by its id. */
    private final Map<Integer, Boolean> sent = new LinkedHashMap<>(0);

    private long windowBegun;
    private int resets;
    private boolean counted;

    /**
     * @param maxResets streams that may be reset within the time
     * @param clock in nanoseconds
     * @param counters returns the counter of connections that end with a code
     */
    ConnectionFaults(int maxResets, int seconds, LongSupplier clock, Function<Http2Error, Counter> counters) {
        this.maxResets = maxResets;
        this.windowNanos = TimeUnit.SECONDS.toNanos(seconds);
        this.clock = clock;
        this.counters = counters;
        this.windowBegun = clock.getAsLong();
    }

    /** Adds a stream that the client resets. */
    void addReceived(int id) {
        add(id, false);
    }

    /** Returns whether one of both sides has reset a stream. */
    boolean isReset(int id) {
        return sent.containsKey(id);
    }

    boolean isResetByProxy(int id) {
        return sent.getOrDefault(id, false);
    }

    @Override
    public void onStreamRemoved(Http2Stream stream) {
        if (stream.isResetSent()) {
            add(stream.id(), true);
        }
    }

    private void add(int id, boolean bySelf) {
        // A client that has reset a stream itself knows of its end.
        sent.merge(id, bySelf, Boolean::logicalAnd);
        if (sent.size() > MAX_KNOWN) {
            sent.remove(sent.keySet().iterator().next());
        }
    }

    /** Counts a stream that was reset for an error of the client. Returns false if there were too many. */
    boolean admitsReset() {
        long now = clock.getAsLong();
        if (now - windowBegun >= windowNanos) {
            windowBegun = now;
            resets = 0;
        }
        return ++resets <= maxResets;
    }

    /** Counts the error that ends the connection: its first one, whatever comes of it. */
    void count(Http2Error code) {
        if (!counted) {
            counted = true;
            counters.apply(code).inc();
        }
    }
}
