/**
 * Gathering: where a second lookup falls into the same block, the block, and its receipts where they are asked for, are fetched
 * whole once and answer the rest. Decides on calls that memory does not answer, and has calls wait for what is on its way; knows
 * nothing of how answers are kept. Start at {@link io.weir.pipeline.prefetch.BlockPrefetcher}.
 */
@NullMarked
package io.weir.pipeline.prefetch;

import org.jspecify.annotations.NullMarked;
