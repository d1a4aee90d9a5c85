/**
 * The accounts of the devnet and their storage as immutable tries. A change gives a new state that shares the unchanged parts
 * with the old one, so each block can keep its own. Roots are the real ones of Ethereum's secure trie.
 *
 * <p>Depends on the Ethereum library only. Start at {@link io.weir.devnet.state.WorldState}.
 */
@NullMarked
package io.weir.devnet.state;

import org.jspecify.annotations.NullMarked;
