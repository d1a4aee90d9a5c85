package io.weir.ethereum.trie;

import io.weir.ethereum.Hash32;
import io.weir.ethereum.Keccak;
import io.weir.ethereum.rlp.RlpWriter;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Encodes the node under which some leaves hang. Thread-safe.
 *
 * <p>The leaves come sorted, so those below one child are neighbours, and the path shared by the first and the last is
 * shared by all. One leaf is a leaf node, a shared path an extension node, anything else a branch of sixteen. A child
 * of less than 32 bytes stands in its parent as it is, a longer one by its hash. Each longer one is shown with its hash to
 * {@code hashed}.
 */
final class TrieNode {
    private TrieNode() {}

    static byte[] encode(List<Leaf> leaves, int depth, BiConsumer<byte[], byte[]> hashed) {
        Leaf first = leaves.get(0);
        if (leaves.size() == 1) {
            return RlpWriter.list(node -> node.bytes(Leaf.compact(first.path(), depth, first.length(), true))
                    .bytes(first.value()));
        }
        int common = first.commonFrom(depth, leaves.get(leaves.size() - 1));
        if (common > 0) {
            byte[] child = encode(leaves, depth + common, hashed);
            return RlpWriter.list(node ->
                    reference(node.bytes(Leaf.compact(first.path(), depth, depth + common, false)), child, hashed));
        }
        return RlpWriter.list(node -> branch(node, leaves, depth, hashed));
    }

    private static void branch(RlpWriter node, List<Leaf> leaves, int depth, BiConsumer<byte[], byte[]> hashed) {
        // A path that ends here is the shortest and so stands first.
        boolean endsHere = leaves.get(0).length() == depth;
        int from = endsHere ? 1 : 0;
        for (int nibble = 0; nibble < 16; nibble++) {
            int to = from;
            while (to < leaves.size() && leaves.get(to).nibble(depth) == nibble) {
                to++;
            }
            if (to == from) {
                node.bytes(new byte[0]);
            } else {
                reference(node, encode(leaves.subList(from, to), depth + 1, hashed), hashed);
            }
            from = to;
        }
        node.bytes(endsHere ? leaves.get(0).value() : new byte[0]);
    }

    private static void reference(RlpWriter node, byte[] child, BiConsumer<byte[], byte[]> hashed) {
        if (child.length < Hash32.SIZE_BYTES) {
            node.encoded(child);
        } else {
            byte[] hash = Keccak.hash(child);
            hashed.accept(hash, child);
            node.bytes(hash);
        }
    }
}
