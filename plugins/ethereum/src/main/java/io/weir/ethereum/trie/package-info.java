/**
 * Roots of Merkle-Patricia tries, computed from the whole content without keeping a trie, and proofs of single keys: made by
 * {@link io.weir.ethereum.trie.Trie}, walked by {@link io.weir.ethereum.trie.TrieProof}, read as accounts and storage by
 * {@link io.weir.ethereum.trie.StateProof}.
 *
 * <p>Depends on {@code io.weir.ethereum} and {@code rlp}. Start at {@link io.weir.ethereum.trie.TrieRoot}.
 */
@NullMarked
package io.weir.ethereum.trie;

import org.jspecify.annotations.NullMarked;
