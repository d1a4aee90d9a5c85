package io.weir.bench.load.drive;

import java.time.Duration;

/**
 * How our own driver asks. Immutable.
 *
 * @param connections open at once, each with one request out at a time
 * @param perSecond requests that leave in a second, whether earlier ones were answered or not; 0 is as many as are answered
 * @param most requests in all
 * @param time after which none leaves any more
 * @param strict whether a request that could not leave in time is a problem
 * @param patience time by which a request may be late, and in which the last answers must come
 */
public record LoadPlan(int connections, double perSecond, long most, Duration time, boolean strict, Duration patience) {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** The next request leaves when one is answered. */
    public static LoadPlan closed(int connections, Duration time) {
        return new LoadPlan(connections, 0, Long.MAX_VALUE, time, false, PATIENCE);
    }

    /** Requests leave at a constant rate. */
    public static LoadPlan constant(int connections, double perSecond, Duration time) {
        return new LoadPlan(connections, perSecond, Long.MAX_VALUE, time, true, PATIENCE);
    }

    /** A request now and then on one connection, beside another driver. */
    public static LoadPlan samples(double perSecond, Duration time) {
        return new LoadPlan(1, perSecond, Long.MAX_VALUE, time, false, PATIENCE);
    }

    /** All at once, one on each connection. */
    public static LoadPlan burst(int connections, Duration time) {
        return new LoadPlan(connections, 0, connections, time, false, PATIENCE);
    }

    /** Waits longer for answers, as behind a server that itself waits for nodes. */
    public LoadPlan patient(Duration longer) {
        return new LoadPlan(connections, perSecond, most, time, strict, longer);
    }

    /** Returns the time from the first request after which the load ends at the latest. */
    Duration longest() {
        return time.plus(strict ? patience.multipliedBy(2) : patience);
    }
}
