/**
 * What a transaction or call does to the state, without an EVM: wei moves, code is deployed by one plain kind of init
 * code, and the one contract that the devnet knows, its token, runs as Java. Any other code reverts.
 *
 * <p>Depends on {@code io.weir.devnet.state} and the Ethereum library. Start at
 * {@link io.weir.devnet.execution.Execution}.
 */
@NullMarked
package io.weir.devnet.execution;

import org.jspecify.annotations.NullMarked;
