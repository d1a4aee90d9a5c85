package io.weir.ethereum.trie;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.Keccak;
import io.weir.ethereum.rlp.RlpWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** Computes the root of a Merkle-Patricia trie from all that it holds. Thread-safe. */
public final class TrieRoot {
    /** The root of a trie that holds nothing: Keccak-256 of an empty RLP string. */
    public static final Hash32 EMPTY = Hash32.keccak(RlpWriter.string(new byte[0]));

    private static final int MAX_KEY_BYTES = 64;

    private TrieRoot() {}

    /** The root over values in order, each under its index as RLP: transactions, receipts, withdrawals. */
    public static Hash32 ofList(List<byte[]> values) {
        List<Leaf> leaves = new ArrayList<>(values.size());
        for (int i = 0; i < values.size(); i++) {
            leaves.add(leaf(new RlpWriter().unsigned(i).toByteArray(), values.get(i)));
        }
        return root(leaves);
    }

    /** The root over values under the keys given. */
    public static Hash32 ofMap(Map<Bytes, Bytes> values) {
        List<Leaf> leaves = new ArrayList<>(values.size());
        values.forEach((key, value) -> leaves.add(leaf(key.toArray(), value.toArray())));
        return root(leaves);
    }

    /** The root over values under the hashes of their keys: accounts and storage. */
    public static Hash32 ofSecureMap(Map<Bytes, Bytes> values) {
        List<Leaf> leaves = new ArrayList<>(values.size());
        values.forEach((key, value) -> leaves.add(leaf(Keccak.hash(key.toArray()), value.toArray())));
        return root(leaves);
    }

    static Leaf leaf(byte[] key, byte[] value) {
        if (key.length > MAX_KEY_BYTES) {
            throw new IllegalArgumentException(
                    "trie key: " + key.length + " bytes (expected: at most " + MAX_KEY_BYTES + ")");
        }
        if (value.length == 0) {
            throw new IllegalArgumentException("trie value: empty (expected: at least one byte)");
        }
        return Leaf.of(key, value);
    }

    private static Hash32 root(List<Leaf> leaves) {
        return root(leaves, (hash, node) -> {});
    }

    /** Returns the root, and shows its node and every other that its parent names by its hash to {@code hashed}. */
    static Hash32 root(List<Leaf> leaves, BiConsumer<byte[], byte[]> hashed) {
        if (leaves.isEmpty()) {
            return EMPTY;
        }
        leaves.sort(Leaf.BY_PATH);
        byte[] top = TrieNode.encode(leaves, 0, hashed);
        byte[] hash = Keccak.hash(top);
        hashed.accept(hash, top);
        return Hash32.wrap(hash);
    }
}
