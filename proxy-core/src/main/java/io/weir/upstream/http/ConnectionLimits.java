package io.weir.upstream.http;

import io.weir.limit.Budget;

/**
 * The bounds of one node's connections on one event loop. Immutable.
 *
 * @param maxConnections open or being made, at least 1
 * @param maxQueue calls that wait for a connection that is not being made yet
 * @param idleMillis after which an unused connection is closed
 * @param maxResponseBytes of one answer's body
 * @param bytes counts answers while they are collected
 */
record ConnectionLimits(int maxConnections, int maxQueue, long idleMillis, int maxResponseBytes, Budget bytes) {}
