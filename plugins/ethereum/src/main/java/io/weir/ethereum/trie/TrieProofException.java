package io.weir.ethereum.trie;

/** Nodes that do not prove what is under a key. Its message says what was wrong, and at how many nibbles below the root. Immutable. */
public final class TrieProofException extends IllegalArgumentException {
    TrieProofException(String message) {
        super(message);
    }
}
