package io.weir.devnet.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.trie.TrieProof;
import io.weir.ethereum.trie.TrieRoot;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SecureTrieTest {
    @Test
    void anEmptyTrieHasTheWellKnownRoot() {
        assertThat(SecureTrie.<StorageWord>empty().root().hex())
                .isEqualTo("0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421");
    }

    @Test
    void everyVersionHasTheRootOfWhatItHoldsAndKeepsIt() {
        long seed = 7;
        Random random = new Random(seed);
        Map<Hash32, BigInteger> model = new HashMap<>();
        SecureTrie<StorageWord> trie = SecureTrie.empty();
        List<SecureTrie<StorageWord>> versions = new ArrayList<>();
        List<Hash32> roots = new ArrayList<>();
        for (int step = 0; step < 1500; step++) {
            Hash32 key = key(random.nextInt(60));
            if (random.nextInt(5) < 2) {
                trie = trie.without(key);
                model.remove(key);
            } else {
                BigInteger value = BigInteger.valueOf(1 + random.nextInt(1_000_000));
                trie = trie.with(key, new StorageWord(value));
                model.put(key, value);
            }
            assertThat(trie.root()).as("seed %d, step %d", seed, step).isEqualTo(root(model));
            assertThat(trie.size()).as("seed %d, step %d", seed, step).isEqualTo(model.size());
            StorageWord found = trie.get(key);
            assertThat(found == null ? null : found.value())
                    .as("seed %d, step %d", seed, step)
                    .isEqualTo(model.get(key));
            Hash32 other = key(random.nextInt(60));
            BigInteger expected = model.get(other);
            assertThat(TrieProof.find(trie.root(), other, trie.proof(other)))
                    .as("seed %d, step %d, proof", seed, step)
                    .isEqualTo(expected == null ? null : Bytes.wrap(new StorageWord(expected).encoded()));
            versions.add(trie);
            roots.add(trie.root());
        }
        for (int i = 0; i < versions.size(); i++) {
            assertThat(versions.get(i).root())
                    .as("seed %d, version %d", seed, i)
                    .isEqualTo(roots.get(i));
        }
    }

    /** Half of the keys share their first bytes, so that there are extensions, also below branches. */
    private static Hash32 key(int number) {
        byte[] key = Hash32.keccak(new byte[] {(byte) number}).toArray();
        if (number % 2 == 0) {
            key[0] = 0x11;
            key[1] = (byte) (number % 3);
            key[2] = 0x22;
        }
        return Hash32.wrap(key);
    }

    private static Hash32 root(Map<Hash32, BigInteger> model) {
        Map<Bytes, Bytes> values = new HashMap<>();
        model.forEach((key, value) -> values.put(key.bytes(), Bytes.wrap(new StorageWord(value).encoded())));
        return TrieRoot.ofMap(values);
    }
}
