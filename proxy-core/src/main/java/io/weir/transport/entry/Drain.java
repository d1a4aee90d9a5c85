package io.weir.transport.entry;

/**
 * The event that asks a connection to end: it answers what is in flight and closes. Immutable.
 *
 * @param spreadMillis within which WebSockets begin to end, so that their clients do not all come back at once elsewhere
 */
public record Drain(long spreadMillis) {

    /** Asks a single connection. */
    public static final Drain NOW = new Drain(0);
}
