package io.weir.devnet.state;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Merkle Patricia trie whose keys are hashes. A change gives a new trie, which shares all nodes off the changed path
 * with the old one. Immutable.
 */
final class SecureTrie<V extends TrieValue> {
    private static final Hash32 EMPTY_ROOT = Hash32.keccak(RlpWriter.string(new byte[0]));

    private final @Nullable TrieNode<V> top;
    private final int size;

    private SecureTrie(@Nullable TrieNode<V> top, int size) {
        this.top = top;
        this.size = size;
    }

    static <V extends TrieValue> SecureTrie<V> empty() {
        return new SecureTrie<>(null, 0);
    }

    /** How many keys it holds. */
    int size() {
        return size;
    }

    @Nullable
    V get(Hash32 key) {
        return top == null ? null : top.get(Nibbles.of(key), 0);
    }

    SecureTrie<V> with(Hash32 key, V value) {
        byte[] path = Nibbles.of(key);
        if (top == null) {
            return new SecureTrie<>(new TrieNode.Leaf<>(path, value), 1);
        }
        boolean known = top.get(path, 0) != null;
        return new SecureTrie<>(top.with(path, 0, value), known ? size : size + 1);
    }

    SecureTrie<V> without(Hash32 key) {
        byte[] path = Nibbles.of(key);
        if (top == null || top.get(path, 0) == null) {
            return this;
        }
        return new SecureTrie<>(top.without(path, 0), size - 1);
    }

    Hash32 root() {
        return top == null ? EMPTY_ROOT : top.hash();
    }

    /** The nodes from the root to a key's value, or to where the key's path leaves the trie; none of an empty trie. */
    List<Bytes> proof(Hash32 key) {
        List<Bytes> nodes = new ArrayList<>();
        if (top != null) {
            top.prove(Nibbles.of(key), 0, nodes);
        }
        return nodes;
    }
}
