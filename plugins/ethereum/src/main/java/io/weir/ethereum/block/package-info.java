/**
 * Blocks and what hangs on them: headers of every fork, receipts, logs, blooms, withdrawals, and the roots over them.
 *
 * <p>Depends on all other packages of this library; none depends on it. Start at
 * {@link io.weir.ethereum.block.BlockHeader}.
 */
@NullMarked
package io.weir.ethereum.block;

import org.jspecify.annotations.NullMarked;
