/**
 * The transactions that wait to be mined, the rules for them, and the making of live blocks.
 *
 * <p>Depends on {@code io.weir.devnet.chain} and what that depends on. Start at {@link io.weir.devnet.mining.BlockMaker}.
 */
@NullMarked
package io.weir.devnet.mining;

import org.jspecify.annotations.NullMarked;
