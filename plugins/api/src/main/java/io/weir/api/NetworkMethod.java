package io.weir.api;

/**
 * A method that the nodes of one kind of network serve, as the proxy must know it to count, join and repeat its calls. Immutable.
 *
 * @param name the name in calls
 * @param effect the effect of a call
 * @param cost the cost of a call at a node, in units of a simple lookup; from 1 to {@link #MAX_COST}
 */
public record NetworkMethod(String name, Effect effect, int cost) {

    /** The highest cost. */
    public static final int MAX_COST = 1000;

    private static final int LOOKUP_COST = 1;

    /** The effect of a call. */
    public enum Effect {
        /** A lookup. It may be sent again, equal calls share one answer, and it may share a batch to a node with others. */
        READ,
        /** A read that may take long. It may be sent again, and equal calls share one answer. */
        SLOW_READ,
        /** A call that sends a transaction. It is sent once, and later reads share no answer from before it. */
        WRITE
    }

    /** Checks the cost. */
    public NetworkMethod {
        if (cost < LOOKUP_COST || cost > MAX_COST) {
            throw new IllegalArgumentException(
                    "cost of " + name + ": " + cost + " (expected: a number from 1 to " + MAX_COST + ")");
        }
    }

    /** Returns a method that looks something up. */
    public static NetworkMethod read(String name) {
        return new NetworkMethod(name, Effect.READ, LOOKUP_COST);
    }

    /** Returns a method that reads, and may take as long as this many lookups. */
    public static NetworkMethod slowRead(String name, int cost) {
        return new NetworkMethod(name, Effect.SLOW_READ, cost);
    }

    /** Returns a method that sends a transaction. */
    public static NetworkMethod write(String name) {
        return new NetworkMethod(name, Effect.WRITE, LOOKUP_COST);
    }
}
