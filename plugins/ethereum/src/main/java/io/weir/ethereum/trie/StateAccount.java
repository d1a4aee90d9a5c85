package io.weir.ethereum.trie;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpReader;
import io.weir.ethereum.rlp.RlpWriter;
import java.math.BigInteger;

/**
 * An account as a state root holds it. Immutable.
 *
 * @param exists whether the state has an entry for it; an account without one reads as an empty account
 * @param nonce how many transactions it has sent, as the bits of an unsigned long; a contract begins at 1
 * @param balance in wei
 * @param storageRoot the root of its storage
 * @param codeHash Keccak-256 of its code
 */
public record StateAccount(boolean exists, long nonce, BigInteger balance, Hash32 storageRoot, Hash32 codeHash) {
    /** Keccak-256 of no code. */
    public static final Hash32 NO_CODE = Bytes.EMPTY.keccak();

    /** An account that the state does not have. */
    public static final StateAccount ABSENT = new StateAccount(false, 0, BigInteger.ZERO, TrieRoot.EMPTY, NO_CODE);

    /** Returns an account of the state. */
    public static StateAccount of(long nonce, BigInteger balance, Hash32 storageRoot, Hash32 codeHash) {
        return new StateAccount(true, nonce, balance, storageRoot, codeHash);
    }

    /**
     * Reads an account from its entry in the state.
     *
     * @throws io.weir.ethereum.rlp.RlpException when the entry is not four items in their one encoding
     */
    public static StateAccount read(Bytes rlp) {
        RlpReader reader = RlpReader.of(rlp.toArray());
        RlpReader fields = reader.list();
        reader.end();
        StateAccount account = of(fields.unsigned(), fields.quantity(), fields.hash(), fields.hash());
        fields.end();
        return account;
    }

    /** Returns its entry in the state. */
    public Bytes rlp() {
        return Bytes.wrap(RlpWriter.list(fields ->
                fields.unsigned(nonce).quantity(balance).hash(storageRoot).hash(codeHash)));
    }
}
