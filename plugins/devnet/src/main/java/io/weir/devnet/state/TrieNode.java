package io.weir.devnet.state;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.Keccak;
import io.weir.ethereum.rlp.RlpWriter;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node of a {@link SecureTrie}. All keys have one length, so a branch never holds a value of its own. Immutable but
 * for the reference, which is computed when first asked for and the same whoever computes it.
 */
abstract sealed class TrieNode<V extends TrieValue> {
    private static final int WIDTH = 16;

    private volatile byte @Nullable [] reference;

    abstract @Nullable V get(byte[] path, int offset);

    abstract TrieNode<V> with(byte[] path, int offset, V value);

    /** The node without a key that it holds; null where nothing is left. */
    abstract @Nullable TrieNode<V> without(byte[] path, int offset);

    /** This node, below {@code prefix} more nibbles. */
    abstract TrieNode<V> under(byte[] prefix);

    abstract byte[] encoded();

    /** Goes on with {@link #prove} at the next node of the path, if there is one. */
    abstract void proveBelow(byte[] path, int offset, List<Bytes> nodes);

    /** Adds the nodes of a path from here on; one that stands inside its parent is not listed. */
    final void prove(byte[] path, int offset, List<Bytes> nodes) {
        byte[] encoded = encoded();
        if (nodes.isEmpty() || encoded.length >= Hash32.SIZE_BYTES) {
            nodes.add(Bytes.wrap(encoded));
        }
        proveBelow(path, offset, nodes);
    }

    final Hash32 hash() {
        return Hash32.keccak(encoded());
    }

    /** How a parent names the node: its hash, or the node itself where that is shorter. */
    final byte[] reference() {
        byte[] known = reference;
        if (known == null) {
            byte[] encoded = encoded();
            known = encoded.length < Hash32.SIZE_BYTES ? encoded : RlpWriter.string(Keccak.hash(encoded));
            reference = known;
        }
        return known;
    }

    /** The end of a path and its value. */
    static final class Leaf<V extends TrieValue> extends TrieNode<V> {
        private final byte[] rest;
        private final V value;

        Leaf(byte[] rest, V value) {
            this.rest = rest;
            this.value = value;
        }

        @Override
        @Nullable
        V get(byte[] path, int offset) {
            return Nibbles.shared(rest, path, offset) == rest.length ? value : null;
        }

        @Override
        TrieNode<V> with(byte[] path, int offset, V newValue) {
            int shared = Nibbles.shared(rest, path, offset);
            if (shared == rest.length) {
                return new Leaf<>(rest, newValue);
            }
            Branch<V> fork = Branch.<V>empty()
                    .child(rest[shared], new Leaf<>(Nibbles.from(rest, shared + 1), value))
                    .child(path[offset + shared], new Leaf<>(Nibbles.from(path, offset + shared + 1), newValue));
            return fork.under(Arrays.copyOf(rest, shared));
        }

        @Override
        @Nullable
        TrieNode<V> without(byte[] path, int offset) {
            return null;
        }

        @Override
        TrieNode<V> under(byte[] prefix) {
            return new Leaf<>(Nibbles.join(prefix, rest), value);
        }

        @Override
        byte[] encoded() {
            return RlpWriter.list(
                    list -> list.bytes(Nibbles.compact(rest, true)).bytes(value.encoded()));
        }

        @Override
        void proveBelow(byte[] path, int offset, List<Bytes> nodes) {
            // The path ends here.
        }
    }

    /** Nibbles that all keys below it share. */
    static final class Extension<V extends TrieValue> extends TrieNode<V> {
        private final byte[] part;
        private final Branch<V> below;

        Extension(byte[] part, Branch<V> below) {
            this.part = part;
            this.below = below;
        }

        @Override
        @Nullable
        V get(byte[] path, int offset) {
            return Nibbles.shared(part, path, offset) == part.length ? below.get(path, offset + part.length) : null;
        }

        @Override
        TrieNode<V> with(byte[] path, int offset, V value) {
            int shared = Nibbles.shared(part, path, offset);
            if (shared == part.length) {
                return below.with(path, offset + shared, value).under(part);
            }
            Branch<V> fork = Branch.<V>empty()
                    .child(part[shared], below.under(Nibbles.from(part, shared + 1)))
                    .child(path[offset + shared], new Leaf<>(Nibbles.from(path, offset + shared + 1), value));
            return fork.under(Arrays.copyOf(part, shared));
        }

        @Override
        TrieNode<V> without(byte[] path, int offset) {
            return below.without(path, offset + part.length).under(part);
        }

        @Override
        TrieNode<V> under(byte[] prefix) {
            return new Extension<>(Nibbles.join(prefix, part), below);
        }

        @Override
        byte[] encoded() {
            return RlpWriter.list(
                    list -> list.bytes(Nibbles.compact(part, false)).encoded(below.reference()));
        }

        @Override
        void proveBelow(byte[] path, int offset, List<Bytes> nodes) {
            if (Nibbles.shared(part, path, offset) == part.length) {
                below.prove(path, offset + part.length, nodes);
            }
        }
    }

    /** A fork into at least two of sixteen ways. */
    static final class Branch<V extends TrieValue> extends TrieNode<V> {
        private final @Nullable TrieNode<V>[] children;

        private Branch(@Nullable TrieNode<V>[] children) {
            this.children = children;
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        static <V extends TrieValue> Branch<V> empty() {
            return new Branch<>(new TrieNode[WIDTH]);
        }

        Branch<V> child(int nibble, @Nullable TrieNode<V> node) {
            @Nullable TrieNode<V>[] changed = children.clone();
            changed[nibble] = node;
            return new Branch<>(changed);
        }

        @Override
        @Nullable
        V get(byte[] path, int offset) {
            TrieNode<V> node = children[path[offset]];
            return node == null ? null : node.get(path, offset + 1);
        }

        @Override
        Branch<V> with(byte[] path, int offset, V value) {
            TrieNode<V> node = children[path[offset]];
            return child(
                    path[offset],
                    node == null
                            ? new Leaf<>(Nibbles.from(path, offset + 1), value)
                            : node.with(path, offset + 1, value));
        }

        @Override
        TrieNode<V> without(byte[] path, int offset) {
            TrieNode<V> node = children[path[offset]];
            if (node == null) {
                return this;
            }
            return child(path[offset], node.without(path, offset + 1)).folded();
        }

        /** A branch with one way left is none: the way joins what it leads to. */
        private TrieNode<V> folded() {
            int only = -1;
            for (int i = 0; i < WIDTH; i++) {
                if (children[i] != null) {
                    if (only >= 0) {
                        return this;
                    }
                    only = i;
                }
            }
            TrieNode<V> left = only < 0 ? null : children[only];
            if (left == null) {
                throw new IllegalStateException("branch: no child (expected: at least one)");
            }
            return left.under(new byte[] {(byte) only});
        }

        @Override
        TrieNode<V> under(byte[] prefix) {
            return prefix.length == 0 ? this : new Extension<>(prefix, this);
        }

        @Override
        byte[] encoded() {
            return RlpWriter.list(list -> {
                for (TrieNode<V> node : children) {
                    if (node == null) {
                        list.bytes(new byte[0]);
                    } else {
                        list.encoded(node.reference());
                    }
                }
                list.bytes(new byte[0]);
            });
        }

        @Override
        void proveBelow(byte[] path, int offset, List<Bytes> nodes) {
            TrieNode<V> node = children[path[offset]];
            if (node != null) {
                node.prove(path, offset + 1, nodes);
            }
        }
    }
}
