package io.weir.ethereum.trie;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpException;
import io.weir.ethereum.rlp.RlpReader;
import java.util.List;
import java.util.ListIterator;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Walks the nodes of a Merkle proof from a root to a key. Thread-safe.
 *
 * <p>The walk follows the key's 64 nibbles and holds each node against the hash that its parent gives, the first against the
 * root. It ends at the key's leaf, or where the trie leaves the path: at an empty place of a branch, or at a leaf or extension
 * with other nibbles. Either is a proof.
 *
 * <p>The list holds each node of the path once, from the root down, and no other. A node of less than 32 bytes stands inside its
 * parent. Geth leaves it out of the list, anvil lists it as well; both are accepted.
 *
 * <p>All keys have 32 bytes. So a branch never has a value, and a leaf ends at the 64th nibble. Whatever a trie of such keys
 * cannot contain is refused, but a node inside its parent is only read if it is on the path.
 */
public final class TrieProof {
    private static final int NIBBLES = 2 * Hash32.SIZE_BYTES;
    private static final int WIDTH = 16;

    /** An empty string, where a branch has no child. */
    private static final Bytes NONE = Bytes.fromHex("0x80");

    private static final int HASH_HEAD = 0xa0;
    private static final int LIST_HEAD = 0xc0;

    private final byte[] path;
    private final Function<Hash32, @Nullable Bytes> byHash;
    private final Consumer<Bytes> inside;
    private int depth;

    private TrieProof(Hash32 key, Function<Hash32, @Nullable Bytes> byHash, Consumer<Bytes> inside) {
        this.path = Leaf.nibbles(key.toArray());
        this.byHash = byHash;
        this.inside = inside;
    }

    /**
     * Returns the value under a key, or null if the nodes prove that the trie has none. The key is the path itself: callers hash
     * addresses and slots first. The proof of an empty trie is an empty list, or its one node of an empty string.
     *
     * @throws TrieProofException when the nodes prove neither
     */
    public static @Nullable Bytes find(Hash32 root, Hash32 key, List<Bytes> nodes) {
        if (nodes.isEmpty() && root.equals(TrieRoot.EMPTY)) {
            return null;
        }
        ListIterator<Bytes> rest = nodes.listIterator();
        TrieProof walk =
                new TrieProof(key, hash -> rest.hasNext() ? rest.next() : null, node -> passIfListed(rest, node));
        Bytes value = walk.from(root);
        if (rest.hasNext()) {
            throw walk.refusal((nodes.size() - rest.nextIndex()) + " nodes left over (expected: none)");
        }
        return value;
    }

    private static void passIfListed(ListIterator<Bytes> rest, Bytes node) {
        if (rest.hasNext() && !rest.next().equals(node)) {
            rest.previous();
        }
    }

    /** Walks the nodes that are asked for by their hash. */
    static void walk(Hash32 root, Hash32 key, Function<Hash32, @Nullable Bytes> byHash) {
        new TrieProof(key, byHash, node -> {}).from(root);
    }

    private @Nullable Bytes from(Hash32 root) {
        try {
            Bytes top = named(root);
            return top.equals(NONE) ? null : below(items(top));
        } catch (RlpException e) {
            throw refusal(String.valueOf(e.getMessage()));
        }
    }

    private @Nullable Bytes below(List<Bytes> node) {
        return switch (node.size()) {
            case 2 -> belowPart(node);
            case WIDTH + 1 -> belowBranch(node);
            default -> throw refusal("a node of " + node.size() + " items (expected: 2 or 17)");
        };
    }

    private @Nullable Bytes belowBranch(List<Bytes> node) {
        if (depth == NIBBLES) {
            throw refusal("a branch at the end of the key (expected: a leaf)");
        }
        int children = 0;
        for (Bytes child : node.subList(0, WIDTH)) {
            if (!child.equals(NONE)) {
                holdReference(child);
                children++;
            }
        }
        if (children < 2) {
            throw refusal("a branch with " + children + " children (expected: at least 2)");
        }
        if (!node.get(WIDTH).equals(NONE)) {
            throw refusal("a branch with a value (expected: none, as all keys have 32 bytes)");
        }
        Bytes child = node.get(path[depth++]);
        return child.equals(NONE) ? null : below(items(node(child)));
    }

    /** Goes on below a leaf or an extension, whose part of the path stands in hex-prefix encoding. */
    private @Nullable Bytes belowPart(List<Bytes> node) {
        Bytes part = string(node.get(0));
        if (part.isEmpty() || part.size() > 1 + Hash32.SIZE_BYTES) {
            throw refusal("a path of " + part.size() + " bytes (expected: 1 to 33)");
        }
        int prefix = part.at(0);
        boolean odd = (prefix & 0x10) != 0;
        if (prefix >= 0x40 || (!odd && (prefix & 0xf) != 0)) {
            throw refusal("a hex prefix of 0x" + Integer.toHexString(prefix) + " (expected: 0x00, 0x1., 0x20 or 0x3.)");
        }
        boolean atValue = (prefix & 0x20) != 0;
        int end = depth + 2 * (part.size() - 1) + (odd ? 1 : 0);
        if (atValue ? end != NIBBLES : end == depth || end >= NIBBLES) {
            throw refusal((atValue ? "a leaf" : "an extension") + " of " + (end - depth) + " nibbles (expected: "
                    + (atValue ? "" : "at least 1 and less than ") + (NIBBLES - depth) + ")");
        }
        boolean onPath = part.equals(Bytes.wrap(Leaf.compact(path, depth, end, atValue)));
        return atValue ? value(node.get(1), onPath) : belowExtension(node.get(1), onPath, end);
    }

    private @Nullable Bytes value(Bytes item, boolean onPath) {
        Bytes value = string(item);
        if (value.isEmpty()) {
            throw refusal("a leaf without a value (expected: at least one byte)");
        }
        return onPath ? value : null;
    }

    private @Nullable Bytes belowExtension(Bytes child, boolean onPath, int end) {
        holdReference(child);
        if (!onPath) {
            return null;
        }
        depth = end;
        List<Bytes> branch = items(node(child));
        if (branch.size() != WIDTH + 1) {
            throw refusal("a node of " + branch.size() + " items below an extension (expected: 17)");
        }
        return belowBranch(branch);
    }

    /** Holds that a child is named by its hash, or is itself a list that is shorter than that. */
    private void holdReference(Bytes child) {
        boolean hash = child.at(0) == HASH_HEAD;
        boolean inside = child.at(0) >= LIST_HEAD && child.size() < Hash32.SIZE_BYTES;
        if (!hash && !inside) {
            throw refusal("a child of " + child.size() + " bytes (expected: a hash, or a list of less than 32 bytes)");
        }
    }

    /** Returns the node that a reference stands for. */
    private Bytes node(Bytes reference) {
        if (reference.at(0) != HASH_HEAD) {
            inside.accept(reference);
            return reference;
        }
        Bytes node = named(new Hash32(string(reference)));
        if (node.size() < Hash32.SIZE_BYTES) {
            throw refusal("a node of " + node.size() + " bytes by its hash (expected: inside its parent)");
        }
        return node;
    }

    private Bytes named(Hash32 hash) {
        Bytes node = byHash.apply(hash);
        if (node == null) {
            throw refusal("no node left (expected: one with hash " + hash + ")");
        }
        Hash32 actual = node.keccak();
        if (!actual.equals(hash)) {
            throw refusal("a node with hash " + actual + " (expected: " + hash + ")");
        }
        return node;
    }

    private static List<Bytes> items(Bytes node) {
        RlpReader reader = RlpReader.of(node.toArray());
        List<Bytes> items = reader.listOf(RlpReader::encoded);
        reader.end();
        return items;
    }

    private static Bytes string(Bytes item) {
        return RlpReader.of(item.toArray()).bytes();
    }

    private TrieProofException refusal(String reason) {
        return new TrieProofException("trie proof at depth " + depth + ": " + reason);
    }
}
