/**
 * Blocks, transactions and receipts as JSON-RPC shows them: the fields of a current node, and {@code totalDifficulty}.
 *
 * <p>Depends on {@code io.weir.devnet.chain}. Start at {@link io.weir.devnet.json.BlockJson}.
 */
@NullMarked
package io.weir.devnet.json;

import org.jspecify.annotations.NullMarked;
