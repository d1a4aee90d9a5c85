/**
 * Natural batching: lookups for one node that come while it is busy with others leave together, as one JSON-RPC batch. Start at
 * {@link io.weir.upstream.batch.BatchingNodeClient}; {@link io.weir.upstream.batch.BatchWindow} holds the rules of when calls leave,
 * {@link io.weir.upstream.batch.BatchMessage} those of what an answer means.
 */
@NullMarked
package io.weir.upstream.batch;

import org.jspecify.annotations.NullMarked;
