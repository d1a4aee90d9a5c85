package io.weir.upstream.ws;

import io.weir.limit.Budget;

/**
 * The bounds of one event loop's socket to a node. Immutable.
 *
 * @param maxInFlight calls under way at once, at least 1
 * @param maxQueue calls that wait until one of those has ended
 * @param idleMillis after which a socket without calls is closed
 * @param pingMillis of silence after which the node is asked for a sign, and after twice of which it counts as gone
 * @param maxResponseBytes of one message
 * @param bytes counts messages while they are collected
 */
record SocketLimits(
        int maxInFlight, int maxQueue, long idleMillis, long pingMillis, int maxResponseBytes, Budget bytes) {}
