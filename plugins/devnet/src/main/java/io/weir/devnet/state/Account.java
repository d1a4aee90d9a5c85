package io.weir.devnet.state;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpWriter;
import java.math.BigInteger;
import java.util.List;

/** An account: nonce, balance in wei, storage and code. Immutable. */
public final class Account implements TrieValue {
    /** An account that nobody has touched. */
    public static final Account EMPTY = new Account(0, BigInteger.ZERO, Bytes.EMPTY, SecureTrie.empty());

    private final long nonce;
    private final BigInteger balance;
    private final Bytes code;
    private final SecureTrie<StorageWord> storage;

    private Account(long nonce, BigInteger balance, Bytes code, SecureTrie<StorageWord> storage) {
        this.nonce = nonce;
        this.balance = balance;
        this.code = code;
        this.storage = storage;
    }

    /** How many transactions it has sent; a contract begins at 1. */
    public long nonce() {
        return nonce;
    }

    /** Returns its balance, in wei. */
    public BigInteger balance() {
        return balance;
    }

    /** Its code; empty where it is no contract. */
    public Bytes code() {
        return code;
    }

    /** Returns the value of a slot; zero if nothing was written. */
    public BigInteger slot(Hash32 position) {
        StorageWord word = storage.get(hashed(position));
        return word == null ? BigInteger.ZERO : word.value();
    }

    /** The root of the secure trie over all slots. */
    public Hash32 storageRoot() {
        return storage.root();
    }

    /** The nodes that prove a slot under the storage root, or that nothing is stored. */
    public List<Bytes> proof(Hash32 position) {
        return storage.proof(hashed(position));
    }

    /** The account with another nonce. */
    public Account withNonce(long newNonce) {
        return new Account(newNonce, balance, code, storage);
    }

    /** The account with more wei, or fewer. */
    public Account plus(BigInteger wei) {
        BigInteger sum = balance.add(wei);
        if (sum.signum() < 0) {
            throw new IllegalStateException("balance: " + balance + " plus " + wei + " (expected: not below zero)");
        }
        return new Account(nonce, sum, code, storage);
    }

    /** The account with code. */
    public Account withCode(Bytes newCode) {
        return new Account(nonce, balance, newCode, storage);
    }

    /** The account with a slot written. */
    public Account withSlot(Hash32 position, BigInteger value) {
        SecureTrie<StorageWord> written = value.signum() == 0
                ? storage.without(hashed(position))
                : storage.with(hashed(position), new StorageWord(value));
        return new Account(nonce, balance, code, written);
    }

    /** Whether it is as if it had never been touched, so that the state keeps nothing of it. */
    boolean isEmpty() {
        return nonce == 0 && balance.signum() == 0 && code.isEmpty() && storage.size() == 0;
    }

    int slots() {
        return storage.size();
    }

    @Override
    public byte[] encoded() {
        return RlpWriter.list(list ->
                list.unsigned(nonce).quantity(balance).hash(storage.root()).hash(code.keccak()));
    }

    private static Hash32 hashed(Hash32 position) {
        return position.bytes().keccak();
    }
}
