/**
 * Fetches of whole blocks: from the second access on, a block, or its receipts, are fetched once and answer further calls. Knows
 * nothing of how answers are stored. Start at {@link io.weir.pipeline.prefetch.BlockPrefetcher}.
 */
@NullMarked
package io.weir.pipeline.prefetch;

import org.jspecify.annotations.NullMarked;
