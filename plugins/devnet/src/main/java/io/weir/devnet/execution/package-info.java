/**
 * The effect of a transaction or call on the state, without an EVM. Wei moves, and one plain kind of init code deploys code. The
 * devnet knows one contract, its token, which runs as Java. Any other code reverts.
 *
 * <p>Depends on {@code io.weir.devnet.state} and the Ethereum library. Start at
 * {@link io.weir.devnet.execution.Execution}.
 */
@NullMarked
package io.weir.devnet.execution;

import org.jspecify.annotations.NullMarked;
