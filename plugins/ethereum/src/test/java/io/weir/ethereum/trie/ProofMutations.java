package io.weir.ethereum.trie;

import io.weir.ethereum.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A proof with one thing wrong, in every way there is. */
final class ProofMutations {
    private ProofMutations() {}

    static List<List<Bytes>> of(List<Bytes> proof, Random random) {
        List<List<Bytes>> mutations = new ArrayList<>();
        for (int i = 0; i < proof.size(); i++) {
            byte[] node = proof.get(i).toArray();
            for (int at = 0; at < node.length; at++) {
                byte[] flipped = node.clone();
                flipped[at] ^= (byte) (1 << random.nextInt(8));
                mutations.add(with(proof, i, flipped));
            }
            mutations.add(with(proof, i, new byte[0]));
            mutations.add(with(proof, i, Arrays.copyOf(node, node.length - 1)));
            mutations.add(with(proof, i, Arrays.copyOf(node, node.length + 1)));
            mutations.add(with(proof, i, Arrays.copyOfRange(node, 1, node.length)));
            mutations.add(without(proof, i));
            mutations.add(inserted(proof, i, proof.get(i)));
            mutations.add(inserted(proof, i, Bytes.EMPTY));
            mutations.add(inserted(proof, i, Bytes.fromHex("0x80")));
            mutations.add(inserted(proof, proof.size(), proof.get(i)));
            for (int j = 0; j < i; j++) {
                List<Bytes> swapped = new ArrayList<>(proof);
                Collections.swap(swapped, i, j);
                mutations.add(swapped);
            }
        }
        mutations.add(inserted(proof, proof.size(), Bytes.EMPTY));
        if (!proof.isEmpty()) {
            // Alone it proves an empty trie, as no nodes at all do.
            mutations.add(inserted(proof, proof.size(), Bytes.fromHex("0x80")));
        }
        return mutations;
    }

    private static List<Bytes> with(List<Bytes> proof, int index, byte[] node) {
        List<Bytes> changed = new ArrayList<>(proof);
        changed.set(index, Bytes.wrap(node));
        return changed;
    }

    private static List<Bytes> without(List<Bytes> proof, int index) {
        List<Bytes> changed = new ArrayList<>(proof);
        changed.remove(index);
        return changed;
    }

    private static List<Bytes> inserted(List<Bytes> proof, int index, Bytes node) {
        List<Bytes> changed = new ArrayList<>(proof);
        changed.add(index, node);
        return changed;
    }
}
