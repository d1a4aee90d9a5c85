package io.weir.devnet.state;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import java.util.Arrays;

/** Paths of a trie: half bytes, one to an array element. Thread-safe. */
final class Nibbles {
    private Nibbles() {}

    static byte[] of(Hash32 key) {
        Bytes bytes = key.bytes();
        byte[] path = new byte[2 * bytes.size()];
        for (int i = 0; i < bytes.size(); i++) {
            path[2 * i] = (byte) (bytes.at(i) >> 4);
            path[2 * i + 1] = (byte) (bytes.at(i) & 0xf);
        }
        return path;
    }

    static byte[] from(byte[] path, int start) {
        return Arrays.copyOfRange(path, start, path.length);
    }

    static byte[] join(byte[] first, byte[] second) {
        byte[] joined = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }

    static byte[] prepend(int nibble, byte[] path) {
        return join(new byte[] {(byte) nibble}, path);
    }

    /** How many nibbles at the beginning of {@code part} stand in {@code path} from an offset on. */
    static int shared(byte[] part, byte[] path, int offset) {
        int end = Math.min(part.length, path.length - offset);
        int shared = 0;
        while (shared < end && part[shared] == path[offset + shared]) {
            shared++;
        }
        return shared;
    }

    /** Two nibbles a byte, after a head that says whether the path ends here and whether its length is odd. */
    static byte[] compact(byte[] path, boolean leaf) {
        int odd = path.length % 2;
        byte[] compact = new byte[path.length / 2 + 1];
        int flag = (leaf ? 0x20 : 0) | (odd == 1 ? 0x10 | path[0] : 0);
        compact[0] = (byte) flag;
        for (int i = 1; i < compact.length; i++) {
            int at = odd + 2 * (i - 1);
            compact[i] = (byte) (path[at] << 4 | path[at + 1]);
        }
        return compact;
    }
}
