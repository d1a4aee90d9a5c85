package io.weir.upstream.http;

import io.weir.limit.Budget;

/**
 * Limits of one node's connections on one event loop. Immutable.
 *
 * @param maxConnections open or connecting connections, at least 1
 * @param maxQueue calls that wait while no connection is being made for them
 * @param idleMillis after which an unused connection is closed
 * @param maxResponseBytes of one answer's body
 * @param bytes counts answers while they are collected
 */
record ConnectionLimits(int maxConnections, int maxQueue, long idleMillis, int maxResponseBytes, Budget bytes) {}
