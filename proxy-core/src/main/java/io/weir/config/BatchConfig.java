package io.weir.config;

/**
 * The batching of lookups for one node. Immutable.
 *
 * @param enabled whether lookups are batched; only over HTTP
 * @param size maximum number of calls in one batch, at least 1
 * @param waitMillis maximum time that a call waits for others, while the node is busy
 * @param timeoutMillis time without an answer after which the calls of a batch are sent one by one too
 */
public record BatchConfig(boolean enabled, int size, long waitMillis, long timeoutMillis) {}
