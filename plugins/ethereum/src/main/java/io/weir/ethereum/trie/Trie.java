package io.weir.ethereum.trie;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A Merkle-Patricia trie over keys of 32 bytes: its root, and the proof of any key. Immutable, thread-safe.
 *
 * <p>It holds its nodes by their hashes, except those that stand inside their parent.
 */
public final class Trie {
    private final Hash32 root;
    private final Map<Hash32, Bytes> nodes = new HashMap<>();

    private Trie(List<Leaf> leaves) {
        root = TrieRoot.root(leaves, (hash, node) -> nodes.put(Hash32.wrap(hash), Bytes.wrap(node)));
    }

    /** Makes the trie of all values under their keys, which are the paths: callers hash addresses and slots first. */
    public static Trie of(Map<Hash32, Bytes> values) {
        List<Leaf> leaves = new ArrayList<>(values.size());
        values.forEach((key, value) -> leaves.add(TrieRoot.leaf(key.toArray(), value.toArray())));
        return new Trie(leaves);
    }

    /** Its root, {@link TrieRoot#EMPTY} if it holds nothing. */
    public Hash32 root() {
        return root;
    }

    /** Returns the nodes with which {@link TrieProof#find} finds the key's value, or that there is none. */
    public List<Bytes> proof(Hash32 key) {
        List<Bytes> proof = new ArrayList<>();
        if (!nodes.isEmpty()) {
            TrieProof.walk(root, key, hash -> {
                Bytes node = Objects.requireNonNull(nodes.get(hash));
                proof.add(node);
                return node;
            });
        }
        return List.copyOf(proof);
    }
}
