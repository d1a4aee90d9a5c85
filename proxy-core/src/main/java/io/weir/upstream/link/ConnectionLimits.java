package io.weir.upstream.link;

import io.weir.limit.Budget;

/**
 * Limits of one node's connections on one event loop. Immutable.
 *
 * @param maxConnections open or connecting connections, at least 1
 * @param maxQueue calls that wait while no connection is being made for them
 * @param idleMillis after which an unused connection is closed
 * @param renewMillis after which a connection is closed once its call ends, so that a changed address behind the node's name is followed
 * @param maxResponseBytes of the body of an answer that is collected
 * @param streamFrom larger answers go on while they arrive, if their calls allow it
 * @param silenceNanos the longest time in which nothing of such an answer arrives
 * @param bytes counts answers while they are collected
 * @param streams bounds the answers that go on while they arrive
 */
record ConnectionLimits(
        int maxConnections,
        int maxQueue,
        long idleMillis,
        long renewMillis,
        int maxResponseBytes,
        int streamFrom,
        long silenceNanos,
        Budget bytes,
        StreamLimit streams) {}
