package io.weir.transport.request;

/**
 * The event that asks a connection to answer its calls in flight and to close. Immutable.
 *
 * @param spreadMillis time over which WebSockets start to close, so that their clients do not all reconnect elsewhere
 *     at once
 */
public record Drain(long spreadMillis) {

    /** Asks a single connection. */
    public static final Drain NOW = new Drain(0);
}
