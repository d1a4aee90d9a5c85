/**
 * Natural batching: lookups that arrive while a node is busy are sent together, as one JSON-RPC batch. {@link
 * io.weir.upstream.batch.BatchWindow} decides when calls are sent, {@link io.weir.upstream.batch.BatchMessage} what an answer means.
 */
@NullMarked
package io.weir.upstream.batch;

import org.jspecify.annotations.NullMarked;
