package io.weir.l2.typed;

import io.weir.l2.Felt;
import java.util.ArrayList;
import java.util.List;

/** The root of a Merkle tree whose pairs are hashed with the smaller first, so that a proof needs no sides. Thread-safe. */
final class MerkleRoot {
    private MerkleRoot() {}

    /** The root over at least one leaf; who is left alone in his row is paired with 0. */
    static Felt of(List<Felt> leaves, MeteredHash hash, String path) {
        List<Felt> row = leaves;
        while (row.size() > 1) {
            List<Felt> above = new ArrayList<>();
            for (int index = 0; index < row.size(); index += 2) {
                Felt left = row.get(index);
                Felt right = index + 1 < row.size() ? row.get(index + 1) : Felt.ZERO;
                boolean ordered = left.compareTo(right) < 0;
                above.add(ordered ? hash.pair(left, right, path) : hash.pair(right, left, path));
            }
            row = above;
        }
        return row.get(0);
    }
}
