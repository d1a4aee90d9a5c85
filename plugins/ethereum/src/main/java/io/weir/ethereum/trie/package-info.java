/**
 * Roots of Merkle-Patricia tries, computed from the whole content without keeping a trie.
 *
 * <p>Depends on {@code io.weir.ethereum} and {@code rlp}. Start at {@link io.weir.ethereum.trie.TrieRoot}.
 */
@NullMarked
package io.weir.ethereum.trie;

import org.jspecify.annotations.NullMarked;
