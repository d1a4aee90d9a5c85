package io.weir.devnet.state;

/** A value that a {@link SecureTrie} holds under a key. Immutable. */
interface TrieValue {
    /** The value as the trie hashes it. */
    byte[] encoded();
}
