package io.weir.ethereum.trie;

import java.util.Arrays;
import java.util.Comparator;

/** A value of a trie and the nibbles that lead to it. Immutable by agreement: nobody changes the arrays. */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Leaf(byte[] path, byte[] value) {
    static final Comparator<Leaf> BY_PATH = (a, b) -> Arrays.compare(a.path, b.path);

    static Leaf of(byte[] key, byte[] value) {
        return new Leaf(nibbles(key), value);
    }

    static byte[] nibbles(byte[] key) {
        byte[] path = new byte[key.length * 2];
        for (int i = 0; i < key.length; i++) {
            path[2 * i] = (byte) (key[i] >> 4 & 0xf);
            path[2 * i + 1] = (byte) (key[i] & 0xf);
        }
        return path;
    }

    int length() {
        return path.length;
    }

    int nibble(int depth) {
        return path[depth];
    }

    /** How many nibbles this path and another have in common from a depth on; no two leaves have the same path. */
    int commonFrom(int depth, Leaf other) {
        return Arrays.mismatch(path, depth, path.length, other.path, depth, other.path.length);
    }

    /**
     * Returns a part of a path with two nibbles to a byte. The first nibble says whether it ends at a value and whether the
     * nibbles are odd in number ("hex-prefix encoding").
     */
    static byte[] compact(byte[] path, int from, int to, boolean atValue) {
        int length = to - from;
        int odd = length % 2;
        byte[] compact = new byte[length / 2 + 1];
        compact[0] = (byte) ((atValue ? 0x20 : 0) | (odd == 1 ? 0x10 | path[from] : 0));
        for (int i = 1; i < compact.length; i++) {
            int at = from + odd + 2 * (i - 1);
            compact[i] = (byte) (path[at] << 4 | path[at + 1]);
        }
        return compact;
    }
}
