package io.weir.devnet.state;

/** What a {@link SecureTrie} holds under a key. Immutable. */
interface TrieValue {
    /** The value as the trie hashes it. */
    byte[] encoded();
}
