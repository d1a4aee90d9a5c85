package io.weir.ethereum.trie;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** Contents of tries by chance: keys with a beginning in common, and values short enough that nodes stand inside their parents. */
final class RandomTries {
    private RandomTries() {}

    /** So many values under keys whose first bytes are the same, as many as given. */
    static Map<Hash32, Bytes> values(Random random, int size, int sharedBytes, int maxValueBytes) {
        byte[] shared = bytes(random, sharedBytes);
        Map<Hash32, Bytes> values = new HashMap<>();
        while (values.size() < size) {
            byte[] key = bytes(random, Hash32.SIZE_BYTES);
            System.arraycopy(shared, 0, key, 0, sharedBytes);
            byte[] value = bytes(random, 1 + random.nextInt(maxValueBytes));
            values.put(Hash32.wrap(key), Bytes.wrap(value));
        }
        return values;
    }

    /** A key that has the beginning of another and then goes its own way. */
    static Hash32 near(Random random, Hash32 key) {
        byte[] changed = key.toArray();
        int from = random.nextInt(Hash32.SIZE_BYTES);
        changed[from] ^= (byte) (1 << random.nextInt(8));
        System.arraycopy(
                bytes(random, Hash32.SIZE_BYTES - from - 1), 0, changed, from + 1, Hash32.SIZE_BYTES - from - 1);
        return Hash32.wrap(changed);
    }

    static Hash32 key(Random random) {
        return Hash32.wrap(bytes(random, Hash32.SIZE_BYTES));
    }

    private static byte[] bytes(Random random, int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return bytes;
    }
}
