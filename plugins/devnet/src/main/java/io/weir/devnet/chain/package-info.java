/**
 * The devnet's chain: blocks with their receipts and states, how one is made from the last, the fixed history, what
 * waits to be mined.
 *
 * <p>Depends on {@code io.weir.devnet.execution} and {@code io.weir.devnet.state}, knows nothing of JSON-RPC. Start at
 * {@link io.weir.devnet.chain.Chain} and {@link io.weir.devnet.chain.BlockAssembler}.
 */
@NullMarked
package io.weir.devnet.chain;

import org.jspecify.annotations.NullMarked;
