/**
 * Results as bytes with their keys, and answers that are cut out of a block or of its receipts. A {@link io.weir.cache.BlockQuestion} says
 * what a call asks of a block; a {@link io.weir.cache.ResultLayout} holds the positions of the parts and takes the answer from the bytes.
 * Knows nothing of who asks. Start at {@link io.weir.cache.CachedResult} and {@link io.weir.cache.BlockKeys}.
 */
@NullMarked
package io.weir.cache;

import org.jspecify.annotations.NullMarked;
