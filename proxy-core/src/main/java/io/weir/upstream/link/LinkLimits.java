package io.weir.upstream.link;

import io.weir.limit.Budget;

/**
 * Limits of one node's connections on one event loop. Immutable.
 *
 * @param maxConnections open or connecting connections, at least 1
 * @param maxCalls calls in flight on one connection, at least 1
 * @param maxQueue calls that wait beyond those that a connection in the making will take
 * @param idleMillis after which an unused connection is closed
 * @param pingMillis of silence after which a ping is sent over a WebSocket; after twice that time the node counts as gone
 * @param renewMillis after which a changed address behind the node's name is followed: an HTTP connection is closed once its call ends,
 *     a WebSocket if the name leads elsewhere
 * @param maxResponseBytes of an answer that is collected
 * @param streamFrom larger answers go on while they arrive, if their calls and the protocol allow it
 * @param silenceNanos the longest time in which nothing of such an answer arrives
 * @param bytes counts answers while they are collected
 * @param streams bounds the answers that go on while they arrive
 */
record LinkLimits(
        int maxConnections,
        int maxCalls,
        int maxQueue,
        long idleMillis,
        long pingMillis,
        long renewMillis,
        int maxResponseBytes,
        int streamFrom,
        long silenceNanos,
        Budget bytes,
        StreamLimit streams) {}
