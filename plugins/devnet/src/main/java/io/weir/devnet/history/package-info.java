/**
 * The fixed beginning of the devnet's chain, bit for bit the same at every start. Holds accounts, genesis, and blocks through all
 * forks with every kind of transaction that the devnet knows.
 *
 * <p>Depends on {@code io.weir.devnet.chain} and what that depends on. Start at {@link io.weir.devnet.history.History}.
 */
@NullMarked
package io.weir.devnet.history;

import org.jspecify.annotations.NullMarked;
