package io.weir.upstream.link;

import io.weir.limit.Budget;

/**
 * Limits of one event loop's socket to a node. Immutable.
 *
 * @param maxInFlight calls in flight at once, at least 1
 * @param maxQueue calls that wait until one of those has ended
 * @param idleMillis after which a socket without calls is closed
 * @param pingMillis of silence after which a ping is sent; after twice that time the node counts as gone
 * @param renewMillis between looks whether the node has another address
 * @param maxResponseBytes of one message
 * @param bytes counts messages while they are collected
 */
record SocketLimits(
        int maxInFlight,
        int maxQueue,
        long idleMillis,
        long pingMillis,
        long renewMillis,
        int maxResponseBytes,
        Budget bytes) {}
