package io.weir.verify;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.signature.Signature;
import io.weir.ethereum.transaction.Transaction;
import org.jspecify.annotations.Nullable;

/** Transaction of any type that a chain's family has. Immutable. */
public sealed interface ChainTransaction {

    int type();

    /** Returns the bytes that are hashed. */
    byte[] encoded();

    default Hash32 hash() {
        return Hash32.keccak(encoded());
    }

    /** Transaction of one of Ethereum's types. */
    record OfEthereum(Transaction transaction) implements ChainTransaction {

        @Override
        public int type() {
            return transaction.type().number();
        }

        @Override
        public byte[] encoded() {
            return transaction.encoded();
        }
    }

    /**
     * Transaction of a type that the family has besides.
     *
     * @param bytes the bytes that are hashed
     * @param to the called address; null if there is none, or if the encoding does not hold it
     * @param sender null if the encoding does not hold it
     * @param signing the signature; null in an unsigned transaction
     */
    record OfFamily(
            TransactionLayout layout,
            Bytes bytes,
            @Nullable Address to,
            @Nullable Address sender,
            @Nullable Signing signing)
            implements ChainTransaction {

        @Override
        public int type() {
            return layout.type();
        }

        @Override
        public byte[] encoded() {
            return bytes.toArray();
        }
    }

    /** Signature with the hash that was signed. */
    record Signing(Hash32 hash, Signature signature) {}
}
