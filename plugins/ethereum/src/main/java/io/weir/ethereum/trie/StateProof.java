package io.weir.ethereum.trie;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpException;
import io.weir.ethereum.rlp.RlpReader;
import java.math.BigInteger;
import java.util.List;

/** Reads accounts and storage out of the proofs of {@code eth_getProof} (EIP-1186). Thread-safe. */
public final class StateProof {
    private StateProof() {}

    /**
     * Returns the account at an address under a state root, {@link StateAccount#ABSENT} if the nodes prove that there is none.
     *
     * @throws TrieProofException when the nodes prove neither
     */
    public static StateAccount account(Hash32 stateRoot, Address address, List<Bytes> nodes) {
        Bytes rlp = TrieProof.find(stateRoot, address.bytes().keccak(), nodes);
        try {
            return rlp == null ? StateAccount.ABSENT : StateAccount.read(rlp);
        } catch (RlpException e) {
            throw new TrieProofException("account " + address + ": " + e.getMessage());
        }
    }

    /**
     * Returns the value of a slot under an account's storage root, zero if the nodes prove that nothing is stored.
     *
     * @throws TrieProofException when the nodes prove neither
     */
    public static BigInteger slot(Hash32 storageRoot, Hash32 slot, List<Bytes> nodes) {
        Bytes rlp = TrieProof.find(storageRoot, slot.bytes().keccak(), nodes);
        return rlp == null ? BigInteger.ZERO : stored(slot, rlp);
    }

    private static BigInteger stored(Hash32 slot, Bytes rlp) {
        BigInteger value;
        try {
            RlpReader reader = RlpReader.of(rlp.toArray());
            value = reader.quantity();
            reader.end();
        } catch (RlpException e) {
            throw new TrieProofException("slot " + slot + ": " + e.getMessage());
        }
        if (value.signum() == 0) {
            throw new TrieProofException("slot " + slot + ": a stored zero (expected: no entry)");
        }
        return value;
    }
}
