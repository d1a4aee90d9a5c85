package io.weir.config;

/**
 * The batching of lookups for one node. Immutable.
 *
 * @param enabled whether lookups are batched; only over HTTP
 * @param size maximum number of calls in one batch, at least 1
 * @param bytes maximum size of one batch
 * @param waitMillis maximum time that a call waits for others, while the node is busy
 * @param inFlight requests in flight of one event loop from which on calls are batched, at least 1
 * @param timeoutMillis time without an answer after which the calls of a batch are sent one by one too
 */
public record BatchConfig(boolean enabled, int size, int bytes, long waitMillis, int inFlight, long timeoutMillis) {}
