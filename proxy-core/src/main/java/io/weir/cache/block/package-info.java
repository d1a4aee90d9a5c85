/**
 * Derivation of answers from a cached block or its cached receipts. Layouts hold the positions of their parts ({@link
 * io.weir.cache.block.BlockLayout}, {@link io.weir.cache.block.ReceiptsLayout}). {@link io.weir.cache.block.BlockQuestion}
 * says what a call requests. Slicers take the answer from the cached bytes. {@link io.weir.cache.block.BlockKeys} holds the
 * cache keys. Pure: bytes in, bytes out.
 */
@NullMarked
package io.weir.cache.block;

import org.jspecify.annotations.NullMarked;
