package io.weir.ethereum.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tries by chance: each key's proof gives its value or its absence, and no other list of nodes does. */
class TrieProofPropertyTest {
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    /** With 28 bytes or more in common and short values, nodes stand inside their parents. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 1",
        "1, 0, 40",
        "1, 0, 1",
        "2, 0, 40",
        "2, 31, 1",
        "3, 30, 2",
        "16, 31, 1",
        "17, 0, 100",
        "40, 30, 3",
        "200, 31, 1",
        "300, 0, 110",
        "300, 29, 4",
        "2000, 0, 33",
        "2000, 2, 33",
        "2000, 30, 2"
    })
    void everyKeyIsProvenWithItsValueAndEveryOtherAsAbsent(int size, int sharedBytes, int maxValueBytes) {
        Map<Hash32, Bytes> values = RandomTries.values(random, size, sharedBytes, maxValueBytes);
        Trie trie = Trie.of(values);

        assertThat(trie.root()).as("seed %d", seed).isEqualTo(TrieRoot.ofMap(unwrapped(values)));
        keys(values)
                .forEach(key -> assertThat(TrieProof.find(trie.root(), key, trie.proof(key)))
                        .as("seed %d, key %s", seed, key)
                        .isEqualTo(values.get(key)));
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 1", "2, 31, 1", "3, 30, 2", "17, 0, 100", "40, 30, 3", "300, 0, 110"})
    void aProofWithAnyMutationIsRefused(int size, int sharedBytes, int maxValueBytes) {
        Map<Hash32, Bytes> values = RandomTries.values(random, size, sharedBytes, maxValueBytes);
        Trie trie = Trie.of(values);

        keys(values).limit(12).forEach(key -> {
            for (List<Bytes> wrong : ProofMutations.of(trie.proof(key), random)) {
                assertThatExceptionOfType(TrieProofException.class)
                        .as("seed %d, key %s, proof %s", seed, key, wrong)
                        .isThrownBy(() -> TrieProof.find(trie.root(), key, wrong))
                        .withMessageMatching("trie proof at depth \\d+: .+ \\(expected: .+\\)");
            }
        });
    }

    /** A proof may well be that of another key too: then it proves the right thing of it. */
    @ParameterizedTest
    @CsvSource({"1, 0, 1", "3, 30, 2", "60, 0, 100", "40, 30, 3"})
    void aProofCountsForThoseKeysOnlyWhoseProofItIs(int size, int sharedBytes, int maxValueBytes) {
        Map<Hash32, Bytes> values = RandomTries.values(random, size, sharedBytes, maxValueBytes);
        Trie trie = Trie.of(values);
        Map<Hash32, List<Bytes>> proofs = new HashMap<>();
        keys(values).limit(100).forEach(key -> proofs.put(key, trie.proof(key)));
        proofs.forEach((asked, own) -> proofs.forEach((proven, proof) -> {
            if (proof.equals(own)) {
                assertThat(TrieProof.find(trie.root(), asked, proof))
                        .as("seed %d, key %s", seed, asked)
                        .isEqualTo(values.get(asked));
            } else {
                assertThatExceptionOfType(TrieProofException.class)
                        .as("seed %d, key %s with the proof of %s", seed, asked, proven)
                        .isThrownBy(() -> TrieProof.find(trie.root(), asked, proof));
            }
        }));
    }

    /** The root is the hash of the node as it is, so that the walk reads what is wrong in it. */
    @ParameterizedTest
    @CsvSource({"1, 0, 1", "2, 31, 1", "16, 31, 1", "40, 30, 3", "300, 0, 33"})
    void aNodeOfAnyFormIsWalkedOrRefused(int size, int sharedBytes, int maxValueBytes) {
        Map<Hash32, Bytes> values = RandomTries.values(random, size, sharedBytes, maxValueBytes);
        Trie trie = Trie.of(values);
        int refused = 0;
        for (Hash32 key : keys(values).limit(12).toList()) {
            List<Bytes> proof = trie.proof(key);
            for (int from = 0; from < proof.size(); from++) {
                for (List<Bytes> wrong : ProofMutations.of(proof.subList(from, proof.size()), random)) {
                    try {
                        TrieProof.find(wrong.isEmpty() ? key : wrong.get(0).keccak(), key, wrong);
                    } catch (TrieProofException e) {
                        refused++;
                    }
                }
            }
        }
        assertThat(refused).as("seed %d", seed).isPositive();
    }

    @Test
    void aProofUnderAnotherRootIsRefused() {
        Map<Hash32, Bytes> values = RandomTries.values(random, 100, 0, 33);
        Trie trie = Trie.of(values);
        Hash32 key = values.keySet().iterator().next();
        values.put(RandomTries.key(random), Bytes.fromHex("0x01"));
        Trie later = Trie.of(values);

        for (Hash32 root : List.of(later.root(), TrieRoot.EMPTY, Hash32.ZERO)) {
            assertThatExceptionOfType(TrieProofException.class)
                    .as("seed %d", seed)
                    .isThrownBy(() -> TrieProof.find(root, key, trie.proof(key)))
                    .withMessageMatching("trie proof at depth 0: a node with hash 0x\\w+ \\(expected: 0x\\w+\\)");
        }
    }

    /** All keys of the trie, keys that go off their paths at some nibble, and a few with nothing in common. */
    private Stream<Hash32> keys(Map<Hash32, Bytes> values) {
        List<Hash32> keys = new ArrayList<>();
        values.keySet().forEach(key -> {
            keys.add(key);
            keys.add(RandomTries.near(random, key));
        });
        for (int i = 0; i < 20; i++) {
            keys.add(RandomTries.key(random));
        }
        return keys.stream();
    }

    private static Map<Bytes, Bytes> unwrapped(Map<Hash32, Bytes> values) {
        Map<Bytes, Bytes> unwrapped = new HashMap<>();
        values.forEach((key, value) -> unwrapped.put(key.bytes(), value));
        return unwrapped;
    }
}
