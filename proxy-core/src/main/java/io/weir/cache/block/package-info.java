/**
 * What else a kept block, or the kept receipts of one, answer: where their parts stand ({@link
 * io.weir.cache.block.BlockLayout}, {@link io.weir.cache.block.ReceiptsLayout}), what a call asks of a block ({@link
 * io.weir.cache.block.BlockQuestion}), and the answer, cut out of the kept bytes. Under which keys blocks, receipts and the
 * indexes to them are kept is in {@link io.weir.cache.block.BlockKeys}. Pure: bytes in, bytes out.
 */
@NullMarked
package io.weir.cache.block;

import org.jspecify.annotations.NullMarked;
