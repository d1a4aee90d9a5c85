package io.weir.config;

/**
 * How lookups for one node leave together. Immutable.
 *
 * @param enabled whether they do; only over HTTP
 * @param size the most calls of one batch, at least 1
 * @param bytes the most of one batch
 * @param waitMillis how long a call waits for others at most, while the node is busy
 * @param inFlight requests of one event loop that are out while calls gather, at least 1
 * @param timeoutMillis without an answer, after which the calls of a batch are asked singly too
 */
public record BatchConfig(boolean enabled, int size, int bytes, long waitMillis, int inFlight, long timeoutMillis) {}
